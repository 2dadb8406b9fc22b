import { beforeEach, describe, expect, test } from '@jest/globals';

import {
  addFault,
  advance,
  type ApiResponse,
  call,
  clearFaults,
  idle,
  messages,
  reset,
  service,
} from '../../support/service.ts';
import { addSession, readRows } from '../../support/users.ts';
import { eventsNamed } from './directories.ts';
import { ENTERPRISE, newProvider, newScimGroup, newScimUser, patch, type Provider } from './scim.ts';

interface Membership {
  id: string;
  user_id: string;
  status: string;
  directory_managed: boolean;
  custom_attributes: Record<string, unknown>;
  roles: { slug: string }[];
}

interface User {
  id: string;
  email: string;
  email_verified: boolean;
  first_name: string | null;
}

const OFF = patch({ op: 'Replace', path: 'active', value: 'False' });
const ON = patch({ op: 'Replace', path: 'active', value: true });
const PASSWORD = 'quiet-Lantern-84-under-oak';

let provider: Provider;
beforeEach(async () => {
  await reset();
  provider = await newProvider({}, { domain: 'acme.example' });
});

async function listMemberships({ directory }: Provider): Promise<Membership[]> {
  await idle();
  const query = `organization_id=${directory.organization_id}&statuses=active,inactive,pending&order=asc`;
  return (await call<{ data: Membership[] }>('GET', `/user_management/organization_memberships?${query}`)).body.data;
}

const userWith = async (email: string): Promise<User | undefined> =>
  (await call<{ data: User[] }>('GET', `/user_management/users?email=${encodeURIComponent(email)}`)).body.data[0];

interface Tokens {
  refresh_token: string;
  organization_id?: string;
  pending_authentication_token?: string;
}

async function signIn(email: string): Promise<Tokens> {
  const user = await userWith(email);
  await call('PUT', `/user_management/users/${user?.id}`, { password: PASSWORD });
  const response = await authenticate({ grant_type: 'password', email, password: PASSWORD });
  expect(response.status).toBe(200);
  return response.body;
}

async function authenticate(members: Record<string, unknown>): Promise<ApiResponse<Tokens>> {
  const { clientId, apiKey } = await service();
  return call<Tokens>('POST', '/user_management/authenticate', {
    client_id: clientId,
    client_secret: apiKey,
    ...members,
  });
}

const refresh = (refresh_token: string) => authenticate({ grant_type: 'refresh_token', refresh_token });

describe('a directory user whose email is in a verified domain', () => {
  test('becomes a user with a verified address and an active, managed membership, and later changes are applied', async () => {
    const { id } = await newScimUser(provider, 'Ada@Acme.example', {
      name: { givenName: 'Ada', familyName: 'Lovelace' },
      [ENTERPRISE]: { department: 'Engines' },
    });
    expect(await userWith('ada@acme.example')).toMatchObject({ first_name: 'Ada', email_verified: true });
    expect(await listMemberships(provider)).toMatchObject([
      { status: 'active', directory_managed: true, custom_attributes: { department_name: 'Engines' } },
    ]);
    const change = patch(
      { op: 'replace', path: 'name.givenName', value: 'Augusta' },
      { op: 'replace', path: `${ENTERPRISE}:department`, value: 'Looms' },
      { op: 'replace', path: 'userName', value: 'augusta@acme.example' },
    );
    expect((await provider.send('PATCH', `/Users/${id}`, change)).status).toBe(200);
    expect(await userWith('ada@acme.example')).toMatchObject({ first_name: 'Augusta', email: 'ada@acme.example' });
    expect(await listMemberships(provider)).toMatchObject([{ custom_attributes: { department_name: 'Looms' } }]);
  });

  test('takes over an unverified account, and removes its password and sessions', async () => {
    const { body: attacker } = await call<User>('POST', '/user_management/users', {
      email: 'ada@acme.example',
      password: PASSWORD,
    });
    await newScimUser(provider, 'ada@acme.example');
    expect(await userWith('ada@acme.example')).toMatchObject({ id: attacker.id, email_verified: true });
    const response = await authenticate({ grant_type: 'password', email: 'ada@acme.example', password: PASSWORD });
    expect(response.status).toBe(400);
  });

  test('gets no user account and no membership if another organization has verified the domain', async () => {
    await newProvider({}, { domain: 'rival.example' });
    await newScimUser(provider, 'ceo@rival.example');
    expect(await userWith('ceo@rival.example')).toBeUndefined();
    expect(await listMemberships(provider)).toEqual([]);
  });
});

describe('a user who was removed from the directory', () => {
  test.each<[string, object]>([
    ['PATCH of Okta', patch({ op: 'replace', value: { active: false } })],
    ['PATCH of Entra', OFF],
    ['PATCH with a list', patch({ op: 'replace', path: 'active', value: [false] })],
  ])(
    'has no session, refresh or membership once %s has been responded to, also if it is sent twice at once',
    async (_, body) => {
      const { id } = await newScimUser(provider, 'ada@acme.example');
      const tokens = await signIn('ada@acme.example');
      expect(tokens.organization_id).toBe(provider.directory.organization_id);
      const other = await signIn('ada@acme.example');
      const responses = await Promise.all([1, 2].map(() => provider.send('PATCH', `/Users/${id}`, body)));
      expect(responses.map(({ status }) => status)).toEqual([200, 200]);
      for (const { refresh_token } of [tokens, other]) {
        const { status, body: rejection } = await refresh(refresh_token);
        expect([status, rejection]).toEqual([400, expect.objectContaining({ error: 'invalid_grant' })]);
      }
      expect(await listMemberships(provider)).toMatchObject([{ status: 'inactive' }]);
      expect(await eventsNamed('session.revoked')).toHaveLength(2);
      expect(await eventsNamed('dsync.user.deleted')).toHaveLength(1);
    },
  );

  test('cannot refresh a session, not even in parallel with the removal', async () => {
    const { id } = await newScimUser(provider, 'ada@acme.example');
    const { refresh_token } = await signIn('ada@acme.example');
    expect((await refresh(refresh_token)).status).toBe(200);
    const [left] = await Promise.all([provider.send('DELETE', `/Users/${id}`), refresh(refresh_token)]);
    expect(left.status).toBe(204);
    expect((await refresh(refresh_token)).status).toBe(400);
    expect(await listMemberships(provider)).toMatchObject([{ status: 'inactive' }]);
  });

  test('with 20 sessions and 40 groups is removed in one request', async () => {
    const { id } = await newScimUser(provider, 'ada@acme.example');
    const { refresh_token } = await signIn('ada@acme.example');
    const user = await userWith('ada@acme.example');
    for (let at = 1; at < 20; at += 1) await addSession(user?.id ?? '', provider.directory.organization_id);
    for (let at = 0; at < 40; at += 1) await newScimGroup(provider, `Group ${at}`, [id]);
    expect((await provider.send('DELETE', `/Users/${id}`)).status).toBe(204);
    expect((await refresh(refresh_token)).status).toBe(400);
    await idle();
    expect(await eventsNamed('session.revoked')).toHaveLength(20);
  }, 60_000);

  test('keeps the sessions of other organizations', async () => {
    const { id } = await newScimUser(provider, 'ada@acme.example');
    const user = await userWith('ada@acme.example');
    const { body: second } = await call<{ id: string }>('POST', '/organizations', { name: 'Second' });
    await call('POST', '/user_management/organization_memberships', { user_id: user?.id, organization_id: second.id });
    await call('PUT', `/user_management/users/${user?.id}`, { password: PASSWORD });
    const chosen = await authenticate({ grant_type: 'password', email: 'ada@acme.example', password: PASSWORD });
    const { pending_authentication_token } = chosen.body;
    const selected = await authenticate({
      grant_type: 'urn:workos:oauth:grant-type:organization-selection',
      pending_authentication_token,
      organization_id: second.id,
    });
    expect(selected.status).toBe(200);
    await provider.send('PATCH', `/Users/${id}`, OFF);
    expect((await refresh(selected.body.refresh_token)).status).toBe(200);
  });

  test('becomes active again if the provider reactivates them, with the default role', async () => {
    await call('POST', '/authorization/roles', { slug: 'boss', name: 'Boss' });
    const { id } = await newScimUser(provider, 'ada@acme.example');
    const [former] = await listMemberships(provider);
    await call('PUT', `/user_management/organization_memberships/${former?.id}`, { role_slug: 'boss' });
    await provider.send('PATCH', `/Users/${id}`, OFF);
    expect(await listMemberships(provider)).toMatchObject([{ status: 'inactive', roles: [{ slug: 'member' }] }]);
    await provider.send('PATCH', `/Users/${id}`, ON);
    expect(await listMemberships(provider)).toMatchObject([
      { id: former?.id, status: 'active', directory_managed: true },
    ]);
    await signIn('ada@acme.example');
  });
});

describe('a directory user outside of the verified domains', () => {
  test('is no member by default, and gets a pending membership if all users are provisioned', async () => {
    await newScimUser(provider, 'guest@elsewhere.example');
    expect(await listMemberships(provider)).toEqual([]);
    const all = await newProvider({ provisioning: 'all' }, { domain: 'second.example' });
    const { id } = await newScimUser(all, 'guest@elsewhere.example');
    expect(await listMemberships(all)).toMatchObject([{ status: 'pending', directory_managed: true }]);
    expect(await userWith('guest@elsewhere.example')).toMatchObject({ email_verified: false });
    expect(await messages('guest@elsewhere.example')).toHaveLength(1);
    await all.send('PATCH', `/Users/${id}`, OFF);
    expect(await listMemberships(all)).toEqual([]);
    expect(await eventsNamed('invitation.revoked')).toHaveLength(1);
    await all.send('PATCH', `/Users/${id}`, ON);
    expect(await listMemberships(all)).toMatchObject([{ status: 'pending' }]);
  });

  test('never changes the account of an address that the organization does not own, and gets only a pending membership', async () => {
    const { body: owner } = await call<User>('POST', '/user_management/users', {
      email: 'guest@elsewhere.example',
      email_verified: true,
      password: PASSWORD,
    });
    const all = await newProvider({ provisioning: 'all' });
    await newScimUser(all, 'guest@elsewhere.example', { name: { givenName: 'Renamed' } });
    expect(await listMemberships(all)).toMatchObject([{ user_id: owner.id, status: 'pending' }]);
    expect(await userWith('guest@elsewhere.example')).toMatchObject({ first_name: null });
    expect((await authenticate({ grant_type: 'password', email: owner.email, password: PASSWORD })).status).toBe(200);
  });
});

test('with provisioning disabled, users exist only in the directory', async () => {
  const off = await newProvider({ provisioning: 'off' }, { domain: 'off.example' });
  await newScimUser(off, 'ada@off.example');
  expect(await userWith('ada@off.example')).toBeUndefined();
});

describe('roles from directory groups', () => {
  beforeEach(async () => {
    for (const slug of ['admin-role', 'editor-role']) await call('POST', '/authorization/roles', { slug, name: slug });
    await call('PATCH', `/x/directories/${provider.directory.id}`, {
      group_roles: [
        { group: 'Admins', role_slug: 'admin-role' },
        { group: 'Editors', role_slug: 'editor-role' },
      ],
    });
    await idle();
  });
  const roles = async (): Promise<string[]> =>
    (await listMemberships(provider))[0]?.roles.map(({ slug }) => slug) ?? [];

  test('follow the groups by priority, return to the default, and replace a role set by hand only when the groups change', async () => {
    const { id } = await newScimUser(provider, 'ada@acme.example');
    const editors = await newScimGroup(provider, 'Editors', [id]);
    expect(await roles()).toEqual(['editor-role']);
    const admins = await newScimGroup(provider, 'Admins', [id]);
    expect((await roles()).sort()).toEqual(['admin-role', 'editor-role']);
    expect((await call('GET', `/directory_users/${id}`)).body).toMatchObject({
      roles: expect.arrayContaining([{ slug: 'admin-role' }, { slug: 'editor-role' }]),
    });
    const [membership] = await listMemberships(provider);
    await call('PUT', `/user_management/organization_memberships/${membership?.id}`, { role_slug: 'member' });
    await provider.send('PATCH', `/Users/${id}`, patch({ op: 'replace', path: 'title', value: 'Analyst' }));
    expect(await roles()).toEqual(['member']);
    await provider.send('PATCH', `/Groups/${admins.id}`, patch({ op: 'remove', path: 'members' }));
    expect(await roles()).toEqual(['editor-role']);
    await provider.send('DELETE', `/Groups/${editors.id}`);
    expect(await roles()).toEqual(['member']);
  });

  test('follow a changed mapping and a renamed group', async () => {
    const { id } = await newScimUser(provider, 'ada@acme.example');
    const group = await newScimGroup(provider, 'Staff', [id]);
    expect(await roles()).toEqual(['member']);
    await provider.send(
      'PATCH',
      `/Groups/${group.id}`,
      patch({ op: 'replace', path: 'displayName', value: 'Editors' }),
    );
    expect(await roles()).toEqual(['editor-role']);
    await call('PATCH', `/x/directories/${provider.directory.id}`, {
      group_roles: [{ group: group.id, role_slug: 'admin-role' }],
    });
    expect(await roles()).toEqual(['admin-role']);
  });
});

test('changed custom attributes are computed again for all users, also for one that was created in the same moment', async () => {
  await clearFaults();
  await addFault({ target: 'table', kind: 'stale_lists', delay_ms: 1_500 });
  const { id } = await newScimUser(provider, 'ada@acme.example', { title: 'Analyst', nickName: 'Countess' });
  await call('PATCH', `/x/directories/${provider.directory.id}`, {
    custom_attributes: { nick: 'nickName', job_title: null },
  });
  await idle();
  await advance(601);
  expect(await listMemberships(provider)).toMatchObject([{ custom_attributes: { nick: 'Countess' } }]);
  const { body } = await call<{ custom_attributes: object }>('GET', `/directory_users/${id}`);
  expect(body.custom_attributes).toEqual({ nick: 'Countess', username: 'ada@acme.example' });
});

test('a deleted directory keeps the memberships of its users, and its rows are removed', async () => {
  const { id } = await newScimUser(provider, 'ada@acme.example');
  await newScimGroup(provider, 'Engineers', [id]);
  await call('DELETE', `/directories/${provider.directory.id}`);
  expect(await listMemberships(provider)).toMatchObject([{ status: 'active' }]);
  expect((await call('GET', `/directory_users/${id}`)).status).toBe(404);
  expect((await call<{ data: unknown[] }>('GET', '/directory_users?email=ada@acme.example')).body.data).toEqual([]);
  expect(await eventsNamed('dsync.user.deleted', 'dsync.group.deleted', 'dsync.group.user_removed')).toEqual([]);
});

test('the rows of a deleted directory are removed ten minutes later, however far the index lags', async () => {
  await clearFaults();
  await addFault({ target: 'table', kind: 'stale_lists', delay_ms: 1_500 });
  const { id } = await newScimUser(provider, 'ada@acme.example');
  await newScimGroup(provider, 'Engineers', [id]);
  await call('DELETE', `/directories/${provider.directory.id}`);
  await idle();
  await advance(601);
  await idle();
  const { organization_id: organizationId } = provider.directory;
  expect((await readRows(organizationId)).filter((kind) => /^directory/.test(kind))).toEqual([]);
});

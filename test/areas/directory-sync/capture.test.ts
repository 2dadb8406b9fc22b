import { beforeEach, describe, expect, test } from '@jest/globals';

import { type AccountHolder, openAccount, openProven } from '../../support/account.ts';
import { readText } from '../../support/portal.ts';
import { advance, call, idle, messages, reset } from '../../support/service.ts';
import { addMembership, addSession, readSessions } from '../../support/users.ts';
import { newOrganization } from '../../support/organizations.ts';
import { makeUser, PASSWORD } from '../pages/application.ts';
import { newDirectory } from './directories.ts';
import { connectProvider, newProvider, newScimUser, patch, type Provider, USER } from './scim.ts';

/** Tests of what an organization's directory can do with the account of a person: nothing, unless it covers the account's own address. */

const STRANGER = 'grace@private.example';

const off = patch({ op: 'replace', path: 'active', value: false });
const on = patch({ op: 'replace', path: 'active', value: true });

interface Membership {
  id: string;
  status: string;
  directory_managed: boolean;
}

beforeEach(() => reset());

async function memberships(userId: string): Promise<Membership[]> {
  await idle();
  const query = `user_id=${userId}&statuses=active,inactive,pending`;
  return (await call<{ data: Membership[] }>('GET', `/user_management/organization_memberships?${query}`)).body.data;
}

const statuses = async (userId: string): Promise<string[]> => (await memberships(userId)).map(({ status }) => status);

const readUser = async (userId: string) =>
  (await call<{ email: string; first_name: string | null }>('GET', `/user_management/users/${userId}`)).body;

const userWith = async (email: string) =>
  (await call<{ data: { id: string }[] }>('GET', `/user_management/users?email=${encodeURIComponent(email)}`)).body
    .data[0]?.id ?? '';

async function send(provider: Provider, id: string, body: object): Promise<void> {
  const { status } = await provider.send('PATCH', `/Users/${id}`, body);
  expect(status).toBe(200);
}

async function toggle(provider: Provider, id: string): Promise<void> {
  await send(provider, id, off);
  await send(provider, id, on);
}

/** Has a directory invite guests. Instances see it within five seconds. */
async function inviteGuests({ directory: { id } }: Provider): Promise<void> {
  expect((await call('PATCH', `/x/directories/${id}`, { provisioning: 'all' })).status).toBe(200);
  await advance(6);
}

/** Expects that the person changes name and address on the account page, and may leave each organization there. */
async function expectUngoverned({ open }: AccountHolder): Promise<void> {
  expect((await open('name')).text).toContain('first_name');
  expect((await open('email')).text).toContain('new_email');
  expect(readText(await open('organizations'))).not.toContain('manages your account');
}

/** Accepts the invitation that was mailed last, as the person does with its link. */
async function accept(email: string): Promise<void> {
  const [mail] = await messages(email);
  const token = new URL(mail?.links[0] ?? '').searchParams.get('invitation_token') ?? '';
  const { body } = await call<{ id: string }>('GET', `/user_management/invitations/by_token/${token}`);
  const accepted = await call('POST', `/user_management/invitations/${body.id}/accept`, {
    user_id: await userWith(email),
  });
  expect(accepted.status).toBe(200);
}

describe('a directory that names a stranger, and later an address of its own', () => {
  const renamed = { name: { givenName: 'Mallory' } };
  const own = 'mallory@evil.example';
  const written = { schemas: [USER], userName: own, emails: [{ value: own, primary: true }], ...renamed };

  test.each<[string, (provider: Provider) => Promise<void>]>([
    [
      'PATCH',
      async (provider) => {
        const { id } = await newScimUser(provider, STRANGER);
        await send(provider, id, off);
        await send(provider, id, patch({ op: 'replace', value: { active: true, userName: own, ...renamed } }));
      },
    ],
    [
      'PUT',
      async (provider) => {
        const { id } = await newScimUser(provider, STRANGER);
        for (const active of [false, true]) {
          const { status } = await provider.send('PUT', `/Users/${id}`, { ...written, active });
          expect(status).toBe(200);
        }
      },
    ],
    [
      'POST of an inactive user',
      async (provider) => {
        const { id } = await newScimUser(provider, STRANGER, { active: false });
        await send(provider, id, on);
        await send(provider, id, off);
        expect((await provider.send('PUT', `/Users/${id}`, { ...written, active: true })).status).toBe(200);
      },
    ],
    [
      'PATCH without a change of its state',
      async (provider) => {
        const { id } = await newScimUser(provider, STRANGER);
        await send(provider, id, patch({ op: 'replace', value: { userName: own, ...renamed } }));
        await send(provider, id, patch({ op: 'replace', value: { title: 'Analyst', name: { familyName: 'X' } } }));
      },
    ],
  ])('by %s: the account keeps its name, its pages and its password, and is no active member', async (_, capture) => {
    const userId = await makeUser(STRANGER, { first_name: 'Grace' });
    const provider = await newProvider({ provisioning: 'all' }, { domain: 'evil.example' });
    await capture(provider);
    expect(await readUser(userId)).toMatchObject({ email: STRANGER, first_name: 'Grace' });
    expect(await statuses(userId)).not.toContain('active');
    const grace = await openProven(userId, PASSWORD);
    await expectUngoverned(grace);
    const left = await grace.person.submit(await grace.open('organizations'));
    expect(readText(left)).toContain('You left the organization');
    expect(await statuses(userId)).toEqual([]);
  });

  test('by snapshots: the account keeps its name, and is no active member', async () => {
    const userId = await makeUser(STRANGER, { first_name: 'Grace' });
    const directory = await newDirectory({ type: 'workday', provisioning: 'all' }, { domain: 'evil.example' });
    for (const line of [`e1,${STRANGER},Mallory,true`, `e1,${STRANGER},Mallory,false`, `e1,${own},Mallory,true`]) {
      const content = `external_id,email,first_name,active\n${line}`;
      const body = { format: 'csv', content, max_leavers_percent: 100 };
      const { status } = await call('POST', `/x/directories/${directory.id}/snapshots`, body);
      expect(status).toBe(201);
      await idle();
    }
    expect(await readUser(userId)).toMatchObject({ email: STRANGER, first_name: 'Grace' });
    expect(await statuses(userId)).not.toContain('active');
  });
});

describe('a former employer', () => {
  let provider: Provider;
  let scimId: string;
  let userId: string;

  beforeEach(async () => {
    provider = await newProvider({}, { domain: 'acme.example' });
    scimId = (await newScimUser(provider, 'ada@acme.example', { name: { givenName: 'Ada' } })).id;
    userId = await userWith('ada@acme.example');
    const body = { email: 'ada@private.example', email_verified: true, password: PASSWORD };
    expect((await call('PUT', `/user_management/users/${userId}`, body)).status).toBe(200);
  });

  test('neither renames nor governs an account whose address has left its domains', async () => {
    await send(provider, scimId, patch({ op: 'replace', path: 'name.givenName', value: 'Renamed' }));
    expect(await readUser(userId)).toMatchObject({ first_name: 'Ada' });
    expect(await statuses(userId)).toEqual(['active']);
    await expectUngoverned(await openProven(userId, PASSWORD));
  });

  test('ends its own membership only, with the sessions in it, and does not get it back by `active`', async () => {
    const other = await newOrganization('Second');
    await addMembership(userId, other);
    const kept = [await addSession(userId), await addSession(userId, other)];
    await addSession(userId, provider.directory.organization_id);
    await toggle(provider, scimId);
    expect((await readSessions(userId)).toSorted()).toEqual(kept.toSorted());
    expect((await statuses(userId)).toSorted()).toEqual(['active', 'inactive']);
    await send(provider, scimId, patch({ op: 'replace', path: 'name.givenName', value: 'Renamed' }));
    expect(await readUser(userId)).toMatchObject({ first_name: 'Ada', email: 'ada@private.example' });
  });

  test('invites the person again where it invites guests, and the membership is pending until the acceptance', async () => {
    await inviteGuests(provider);
    await toggle(provider, scimId);
    expect(await statuses(userId)).toEqual(['pending']);
    await accept('ada@private.example');
    expect(await statuses(userId)).toEqual(['active']);
    const ada = await openProven(userId, PASSWORD);
    await expectUngoverned(ada);
  });

  test('has no power over an address of its domain that is not proved', async () => {
    const email = 'someone.else@acme.example';
    await call('PUT', `/user_management/users/${userId}`, { email, email_verified: false });
    await toggle(provider, scimId);
    await send(provider, scimId, patch({ op: 'replace', path: 'name.givenName', value: 'Renamed' }));
    expect(await readUser(userId)).toMatchObject({ first_name: 'Ada', email });
    expect(await statuses(userId)).toEqual(['inactive']);
  });
});

describe('a membership that the person or an administrator has ended', () => {
  let provider: Provider;
  let scimId: string;
  let userId: string;
  let membershipId: string;
  const recreate = async (): Promise<void> => {
    expect((await provider.send('DELETE', `/Users/${scimId}`)).status).toBe(204);
    scimId = (await newScimUser(provider, 'ada@acme.example')).id;
  };

  beforeEach(async () => {
    provider = await newProvider({}, { domain: 'acme.example' });
    scimId = (await newScimUser(provider, 'ada@acme.example')).id;
    userId = await userWith('ada@acme.example');
    membershipId = (await memberships(userId))[0]?.id ?? '';
  });

  test('is not made again by its directory, also for a directory user who was deleted and created again', async () => {
    expect((await call('DELETE', `/user_management/organization_memberships/${membershipId}`)).status).toBe(200);
    await toggle(provider, scimId);
    expect(await statuses(userId)).toEqual([]);
    await recreate();
    expect(await statuses(userId)).toEqual([]);
    await inviteGuests(provider);
    await toggle(provider, scimId);
    expect(await statuses(userId)).toEqual(['pending']);
    await accept('ada@acme.example');
    expect(await statuses(userId)).toEqual(['active']);
    await send(provider, scimId, off);
    expect(await statuses(userId)).toEqual(['inactive']);
  });

  test('and is pending by a new invitation is not made active by a second directory of the organization', async () => {
    await call('DELETE', `/user_management/organization_memberships/${membershipId}`);
    await inviteGuests(provider);
    await toggle(provider, scimId);
    expect(await statuses(userId)).toEqual(['pending']);
    const { organization_id } = provider.directory;
    const { body } = await call('POST', '/x/directories', { organization_id, name: 'Second' });
    const second = await connectProvider(body as Provider['directory']);
    await newScimUser(second, 'ada@acme.example');
    expect(await statuses(userId)).toEqual(['pending']);
  });

  test.each([
    ['active', false],
    ['inactive by its directory already', true],
  ])('stays inactive if an administrator deactivated it while it was %s', async (_, isOff) => {
    if (isOff) await send(provider, scimId, off);
    const path = `/user_management/organization_memberships/${membershipId}`;
    expect((await call('PUT', `${path}/deactivate`)).status).toBe(200);
    await toggle(provider, scimId);
    expect(await statuses(userId)).toEqual(['inactive']);
    await recreate();
    expect(await statuses(userId)).toEqual(['inactive']);
    expect((await call('PUT', `${path}/reactivate`)).status).toBe(200);
    await send(provider, scimId, off);
    expect(await statuses(userId)).toEqual(['inactive']);
    await send(provider, scimId, on);
    expect(await statuses(userId)).toEqual(['active']);
  });

  test('is followed by one that an administrator makes, which the directory ends as well', async () => {
    await call('DELETE', `/user_management/organization_memberships/${membershipId}`);
    await addMembership(userId, provider.directory.organization_id);
    await send(provider, scimId, off);
    expect(await statuses(userId)).toEqual(['inactive']);
  });
});

describe('a guest of a directory', () => {
  let provider: Provider;
  let scimId: string;
  let userId: string;

  beforeEach(async () => {
    userId = await makeUser(STRANGER, { first_name: 'Grace' });
    provider = await newProvider({ provisioning: 'all' }, { domain: 'acme.example' });
    scimId = (await newScimUser(provider, STRANGER, { name: { givenName: 'Renamed' } })).id;
  });

  test('who is pending stays so when a second directory of the organization provisions the person as well', async () => {
    const { organization_id } = provider.directory;
    const { body } = await call('POST', '/x/directories', { organization_id, name: 'Second', provisioning: 'all' });
    await newScimUser(await connectProvider(body as Provider['directory']), STRANGER);
    expect(await statuses(userId)).toEqual(['pending']);
    expect(await messages(STRANGER)).toHaveLength(1);
  });

  test('who is pending is not governed, and leaves on the account page', async () => {
    const grace = await openProven(userId, PASSWORD);
    await expectUngoverned(grace);
    await grace.person.submit(await grace.open('organizations'));
    expect(await statuses(userId)).toEqual([]);
    await toggle(provider, scimId);
    expect(await statuses(userId)).toEqual(['pending']);
  });

  test('who has accepted is an active member, keeps the name, is not governed, and is invited again after leaving', async () => {
    await accept(STRANGER);
    expect(await memberships(userId)).toMatchObject([{ status: 'active', directory_managed: true }]);
    await send(provider, scimId, patch({ op: 'replace', path: 'name.givenName', value: 'Renamed again' }));
    expect(await readUser(userId)).toMatchObject({ first_name: 'Grace' });
    const grace = await openProven(userId, PASSWORD);
    await expectUngoverned(grace);
    expect(readText(await grace.person.submit(await grace.open('organizations')))).toContain('You left');
    expect(await statuses(userId)).toEqual([]);
    await toggle(provider, scimId);
    expect(await statuses(userId)).toEqual(['pending']);
  });
});

test('a member whose address the organization owns is governed, and does not leave on the account page', async () => {
  const provider = await newProvider({}, { domain: 'acme.example' });
  await newScimUser(provider, 'ada@acme.example', { name: { givenName: 'Ada' } });
  const userId = await userWith('ada@acme.example');
  const { open } = await openAccount(userId);
  expect(readText(await open('name'))).toContain('manages your account through its directory');
  expect((await open('organizations')).text).not.toContain('>Leave<');
});

test('a deleted directory ends nothing, and an account that has left the domains of its organization is free', async () => {
  const provider = await newProvider({}, { domain: 'acme.example' });
  await newScimUser(provider, 'ada@acme.example');
  const userId = await userWith('ada@acme.example');
  await call('PUT', `/user_management/users/${userId}`, { email: STRANGER, email_verified: true, password: PASSWORD });
  await call('DELETE', `/directories/${provider.directory.id}`);
  expect(await statuses(userId)).toEqual(['active']);
  await expectUngoverned(await openProven(userId, PASSWORD));
});

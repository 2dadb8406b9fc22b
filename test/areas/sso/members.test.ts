import { beforeEach, describe, expect, test } from '@jest/globals';

import { advance, call, idle, reset } from '../../support/service.ts';
import { totp } from '../pages/application.ts';
import { browser } from '../../support/browser.ts';
import { now } from '../../support/service.ts';
import {
  exchange,
  post,
  redeem,
  respondTo,
  returnTo,
  setUp,
  signIn,
  startUrl,
  toProvider,
} from './identity-provider.ts';
import { eventsNamed, organization, samlConnection } from './support.ts';

beforeEach(() => reset({ calm: true }));

interface Granted {
  user: { id: string; first_name: string };
}

interface Membership {
  id: string;
  role: { slug: string };
  roles: { slug: string }[];
  status: string;
  custom_attributes: Record<string, unknown>;
}

const newRole = async (slug: string): Promise<void> => {
  expect((await call('POST', '/authorization/roles', { slug, name: slug })).status).toBe(201);
};

/** Signs in with groups. @returns the user's id */
async function arrive(connectionId: string, groups: string[], more: Record<string, string> = {}): Promise<string> {
  const url = await startUrl('/user_management/authorize', { connection_id: connectionId });
  const attributes = { id: 'ada', email: 'ada@acme.example', firstName: 'Ada', groups, ...more };
  const granted = await redeem<Granted>((await signIn(url, 'ada@acme.example', { attributes })).code);
  expect(granted.status).toBe(200);
  return granted.body.user.id;
}

async function membership(user_id: string, organization_id: string): Promise<Membership> {
  await idle();
  const query = new URLSearchParams({ user_id, organization_id, statuses: 'active,inactive,pending' });
  const path = `/user_management/organization_memberships?${query.toString()}`;
  const { body } = await call<{ data: Membership[] }>('GET', path);
  return body.data[0] as Membership;
}

const mapped = (connectionId: string, group_roles: { group: string; role_slug: string }[]) =>
  call('PATCH', `/x/connections/${connectionId}`, { settings: { group_roles } });

describe('roles by groups of the identity provider', () => {
  test('are those of the membership from the first sign-in on; the first matching entry has priority', async () => {
    await newRole('editor');
    await newRole('viewer');
    const { organizationId, connection } = await setUp();
    await mapped(connection.id, [
      { group: 'editors', role_slug: 'editor' },
      { group: 'staff', role_slug: 'viewer' },
    ]);
    const user = await arrive(connection.id, ['staff', 'editors']);
    expect((await membership(user, organizationId)).role.slug).toBe('editor');
    await arrive(connection.id, ['staff']);
    expect((await membership(user, organizationId)).role.slug).toBe('viewer');
    await arrive(connection.id, ['others']);
    expect((await membership(user, organizationId)).role.slug).toBe('member');
  });

  test.each([
    ['those of all matching entries if members may have several roles', true, ['editor', 'viewer']],
    ['that of the first matching entry if members have one role', false, ['editor']],
  ])('are %s, in memberships and profiles', async (_, multiple_roles, expected) => {
    for (const slug of ['editor', 'viewer', 'auditor']) await newRole(slug);
    expect((await call('PUT', '/x/user-management/settings', { multiple_roles })).status).toBe(200);
    // Environments are cached for five seconds.
    await advance(6);
    const { organizationId, connection } = await setUp();
    await mapped(connection.id, [
      { group: 'editors', role_slug: 'editor' },
      { group: 'auditors', role_slug: 'auditor' },
      { group: 'staff', role_slug: 'viewer' },
    ]);
    const user = await arrive(connection.id, ['staff', 'editors']);
    const found = await membership(user, organizationId);
    expect(found.roles.map(({ slug }) => slug).toSorted()).toEqual(expected);
    const { code } = await signIn(await startUrl('/sso/authorize', { connection: connection.id }), 'ada@acme.example', {
      attributes: { id: 'ada', email: 'ada@acme.example', groups: ['staff', 'editors', 'others'] },
    });
    const { body } = await exchange<{ profile: object }>(code);
    expect(body.profile).toMatchObject({ role: { slug: 'editor' }, roles: expected.map((slug) => ({ slug })) });
    await arrive(connection.id, ['others']);
    expect((await membership(user, organizationId)).roles.map(({ slug }) => slug)).toEqual(['member']);
  });

  test('replace a role that was set by hand only when the groups at the provider result in other roles', async () => {
    await newRole('editor');
    await newRole('viewer');
    const { organizationId, connection } = await setUp();
    await mapped(connection.id, [{ group: 'editors', role_slug: 'editor' }]);
    const user = await arrive(connection.id, ['editors']);
    const { id } = await membership(user, organizationId);
    await call('PUT', `/user_management/organization_memberships/${id}`, { role_slug: 'viewer' });
    await arrive(connection.id, ['editors', 'more']);
    expect((await membership(user, organizationId)).role.slug).toBe('viewer');
    await arrive(connection.id, []);
    expect((await membership(user, organizationId)).role.slug).toBe('member');
  });

  test('are not changed by a connection without a list of roles for groups', async () => {
    await newRole('viewer');
    const { organizationId, connection } = await setUp();
    const user = await arrive(connection.id, ['editors']);
    const { id } = await membership(user, organizationId);
    await call('PUT', `/user_management/organization_memberships/${id}`, { role_slug: 'viewer' });
    await arrive(connection.id, ['editors', 'viewers']);
    expect((await membership(user, organizationId)).role.slug).toBe('viewer');
  });

  test('are not assigned to a guest before the guest has signed in to the account', async () => {
    await newRole('editor');
    const { organizationId, connection } = await setUp();
    await mapped(connection.id, [{ group: 'editors', role_slug: 'editor' }]);
    const guest = await call<{ id: string }>('POST', '/user_management/users', { email: 'guest@elsewhere.example' });
    await call('POST', '/user_management/organization_memberships', {
      user_id: guest.body.id,
      organization_id: organizationId,
    });
    const url = await startUrl('/user_management/authorize', { connection_id: connection.id });
    const person = browser();
    const request = await toProvider(url, person);
    const attributes = { id: 'x', email: 'guest@elsewhere.example', groups: ['editors'], firstName: 'Mallory' };
    const response = await post(
      request.acsUrl,
      await respondTo(request, 'guest@elsewhere.example', { attributes }),
      request.relayState,
    );
    expect((await returnTo(person, response)).url).toContain('/hosted/sign-in');
    expect((await membership(guest.body.id, organizationId)).role.slug).toBe('member');
  });
});

test('custom attributes that a connection maps are stored in the membership', async () => {
  const { organizationId, connection } = await setUp('acme.example', {
    attribute_maps: { custom_attributes: { cost_center: 'cc' } },
  });
  const user = await arrive(connection.id, [], { cc: '4711 😀' });
  expect((await membership(user, organizationId)).custom_attributes).toEqual({ cost_center: '4711 😀' });
  await arrive(connection.id, [], { cc: '4712' });
  expect((await membership(user, organizationId)).custom_attributes).toEqual({ cost_center: '4712' });
});

test('a directory has priority over single sign-on: only the directory changes names, roles and custom attributes of its members', async () => {
  await newRole('editor');
  const { organizationId, connection } = await setUp('acme.example', {
    attribute_maps: { custom_attributes: { cost_center: 'cc' } },
  });
  await mapped(connection.id, [{ group: 'editors', role_slug: 'editor' }]);
  const made = await call<{ id: string; external_key: string }>('POST', '/x/directories', {
    organization_id: organizationId,
    name: 'People',
    type: 'generic scim v2.0',
  });
  const token = 'a-token-of-the-directory-with-enough-characters';
  await call('POST', `/x/directories/${made.body.id}/tokens`, { value: token });
  const created = await call('POST', `/scim/v2.0/${made.body.external_key}/Users`, undefined, {
    apiKey: token,
    rawBody: JSON.stringify({ userName: 'ada@acme.example', name: { givenName: 'Augusta', familyName: 'King' } }),
    headers: { 'content-type': 'application/scim+json' },
  });
  expect(created.status).toBe(201);
  await idle();
  const user = await arrive(connection.id, ['editors'], { cc: '4711' });
  expect((await call('GET', `/user_management/users/${user}`)).body).toMatchObject({ first_name: 'Augusta' });
  expect(await membership(user, organizationId)).toMatchObject({ role: { slug: 'member' }, directory_managed: true });
  expect((await membership(user, organizationId)).custom_attributes).not.toHaveProperty('cost_center');
});

test('second_factor "ask" requires a factor of the service, unless the provider reports one of the accepted values', async () => {
  const { connection } = await setUp();
  const accepted = 'urn:oasis:names:tc:SAML:2.0:ac:classes:TimeSyncToken';
  await call('PATCH', `/x/connections/${connection.id}`, {
    settings: { second_factor: 'ask', second_factor_values: [accepted] },
  });
  const url = await startUrl('/user_management/authorize', { connection_id: connection.id });
  expect((await redeem((await signIn(url, 'ada@acme.example', { authnContext: accepted })).code)).status).toBe(200);
  const person = browser();
  const request = await toProvider(url, person);
  const response = await post(request.acsUrl, await respondTo(request), request.relayState);
  const page = await returnTo(person, response);
  expect(new URL(page.url).pathname).toBe('/hosted/mfa/enroll');
  const key = (/<code>([^<]+)<\/code>/.exec(page.text)?.[1] ?? '').replaceAll(' ', '');
  const done = await person.submit(page, { code: await totp(key, await now()) });
  expect(new URL(done.url).searchParams.get('code')).toMatch(/./);
});

describe('the deletion', () => {
  test('of a connection invalidates the tokens of its profiles at once', async () => {
    const { connection } = await setUp();
    const { code } = await signIn(await startUrl('/sso/authorize', { connection: connection.id }));
    const { body } = await exchange<{ access_token: string }>(code);
    const read = () => call('GET', '/sso/profile', undefined, { apiKey: body.access_token });
    expect((await read()).status).toBe(200);
    await call('DELETE', `/connections/${connection.id}`);
    expect((await read()).status).toBe(404);
  });

  test('of an organization deletes its connections, with their events', async () => {
    const { organizationId, connection } = await setUp();
    const second = await samlConnection(organizationId);
    const other = await samlConnection(await organization('other.example', 'Other'));
    await call('DELETE', `/organizations/${organizationId}`);
    await idle();
    const events = await eventsNamed('connection.deleted');
    expect(events.map(({ data }) => data.id).toSorted()).toEqual([connection.id, second.id].toSorted());
    expect((await call('GET', `/connections/${connection.id}`)).status).toBe(404);
    expect((await call('GET', `/connections/${other.id}`)).status).toBe(200);
  });
});

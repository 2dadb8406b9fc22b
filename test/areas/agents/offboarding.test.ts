import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';

import { call, reset } from '../../support/service.ts';
import { setSettings } from '../../support/settings.ts';
import { claimFor, type Employee, employ, issueTo, readPermissions, useFor } from './issued.ts';
import { type Issuer, startIssuer } from './issuer.ts';
import { begin, complete, configure, link, readToken, register } from './registering.ts';
import { givePermissions, setMemberPermissions } from './support.ts';

let issuer: Issuer;

beforeAll(async () => {
  issuer = await startIssuer();
});

afterAll(() => issuer.close());

/** Methods by which an agent becomes Ada's. @returns its assertion */
const CLAIMS = {
  'that claimed it': claimFor,
  'that its identity provider asserted': async ({ organizationId }: Employee): Promise<string> => {
    await issuer.trust(organizationId);
    return (await issuer.present()).body.identity?.assertion ?? '';
  },
} as const;

/** The ends of what justified the agent. */
const ENDS: Readonly<Record<string, (employee: Employee) => Promise<unknown>>> = {
  'whose membership was deactivated': ({ membershipId }) =>
    call('PUT', `/user_management/organization_memberships/${membershipId}/deactivate`),
  'whose membership was deleted': ({ membershipId }) =>
    call('DELETE', `/user_management/organization_memberships/${membershipId}`),
  'who left and joined again': async ({ membershipId, userId, organizationId }) => {
    await call('DELETE', `/user_management/organization_memberships/${membershipId}`);
    const again = { user_id: userId, organization_id: organizationId };
    expect((await call('POST', '/user_management/organization_memberships', again)).status).toBe(201);
  },
  'who was deleted': ({ userId }) => call('DELETE', `/user_management/users/${userId}`),
};

const VALID = {
  permissions: ['posts:write'],
  key: true,
  token: true,
  exchanged: 'posts:write',
  refreshed: 200,
};

const OUT = { permissions: undefined, key: false, token: false, exchanged: undefined, refreshed: 400 };

beforeEach(async () => {
  await reset();
  await givePermissions('posts:write');
  await configure();
});

describe.each(Object.entries(CLAIMS))('an agent of a person %s', (_, obtain) => {
  test.each(Object.entries(ENDS))('has nothing more than five seconds after the end of a person %s', async (_, end) => {
    const employee = await employ();
    const { read } = await issueTo(await obtain(employee));
    expect(await useFor(3, read)).toEqual(VALID);
    await end(employee);
    expect(await useFor(5, read)).toEqual(OUT);
  });

  test('has only the permissions that the role of its person has, in a key too', async () => {
    const { read } = await issueTo(await obtain(await employ()));
    expect(await useFor(3, read)).toEqual(VALID);
    await setMemberPermissions();
    expect(await useFor(5, read)).toEqual({ ...VALID, permissions: [], exchanged: '' });
    await setMemberPermissions('posts:read', 'posts:write');
    // A key never gets more than it had when it was issued.
    expect(await useFor(5, read)).toMatchObject({ permissions: ['posts:write'] });
  });
});

describe('an API key of a user', () => {
  const newKey = async ({ userId, organizationId }: Employee): Promise<string> => {
    const body = { name: 'Laptop', organization_id: organizationId, permissions: ['posts:write', 'posts:read'] };
    return (await call<{ value: string }>('POST', `/user_management/users/${userId}/api_keys`, body)).body.value;
  };

  test('has only the permissions that the user has', async () => {
    const key = await newKey(await employ());
    expect(await useFor(3, () => readPermissions(key))).toEqual(['posts:write']);
    await setMemberPermissions();
    expect(await useFor(5, () => readPermissions(key))).toEqual([]);
  });

  test.each(Object.entries(ENDS))('is invalid five seconds after the end of a user %s', async (_, end) => {
    const employee = await employ();
    const key = await newKey(employee);
    expect(await useFor(3, () => readPermissions(key))).toEqual(['posts:write']);
    await end(employee);
    expect(await useFor(5, () => readPermissions(key))).toBeUndefined();
  });
});

test('a claim is denied if its person left the chosen organization before the agent completed it', async () => {
  const employee = await employ();
  const { claim } = (await register()).body;
  const { attempt } = (await begin(claim?.token)).body;
  const { user_code: code } = (await link(readToken(attempt), { organization_id: employee.organizationId })).body;
  await ENDS['who left and joined again']?.(employee);
  expect(await complete(claim?.token, code)).toMatchObject({ status: 403, body: { code: 'claim_denied' } });
});

test('agents that an identity provider asserts are not counted by their network, but each sixty times within an hour', async () => {
  const { organizationId } = await employ();
  await issuer.trust(organizationId);
  await setSettings({
    limits: { 'agent-identity.address': { limit: 1 }, 'agent-identity.issuer': { limit: 3 } },
  });
  for (const client of ['one', 'two', 'three']) expect((await issuer.present(client)).status).toBe(200);
  expect((await issuer.present('four')).status).toBe(429);
  for (let count = 0; count < 60; count += 1) expect((await issuer.present('one')).status).toBe(200);
  expect((await issuer.present('one')).status).toBe(429);
  expect((await issuer.present('two')).status).toBe(200);
});

import { beforeEach, describe, expect, test } from '@jest/globals';

import { call, idle, reset } from '../../support/service.ts';
import { newProvider, newScimUser } from '../directory-sync/scim.ts';
import { redeem, setUp } from '../sso/identity-provider.ts';
import { runHistory } from './history.ts';
import { addGuest, addOrganization, arrive, type Granted, linkGuest, readResult, refresh } from './tenants.ts';

/** `test/soak/trust-flips.ts` runs more. */
const steps = Number(process.env.GATEHOUSE_TRUST_STEPS ?? 60);

describe('random histories keep rule 1', () => {
  test.each([1, 2, 3, 4, Date.now()])(
    'with the seed %i',
    async (seed) => {
      const { sessions } = await runHistory(seed, steps);
      expect(sessions).toBeGreaterThan(0);
    },
    90_000 + 1_000 * steps,
  );
});

describe('what a customer relies on', () => {
  beforeEach(() => reset({ calm: true }));

  const enter = async (connectionId: string, email: string) =>
    (await redeem<Granted>(readResult(await arrive(connectionId, email)).code)).body;

  test('a guest enters through the connection once the account is linked', async () => {
    const { organizationId, connection } = await setUp('evil.example');
    await addGuest(organizationId);
    expect((await linkGuest(connection.id, 'ceo@victim.example')).organization_id).toBe(organizationId);
    expect((await enter(connection.id, 'ceo@victim.example')).organization_id).toBe(organizationId);
  });

  test('an employee becomes a member at the first sign-in, and moves to another organization of theirs', async () => {
    const { organizationId, connection } = await setUp();
    const session = await enter(connection.id, 'ada@acme.example');
    expect(session).toMatchObject({ organization_id: organizationId, user: { first_name: 'Ada' } });
    expect((await enter(connection.id, 'ada@acme.example')).user.id).toBe(session.user.id);
    const other = await addOrganization('Other');
    const member = { user_id: session.user.id, organization_id: other };
    expect((await call('POST', '/user_management/organization_memberships', member)).status).toBe(201);
    const moved = await refresh(session.refresh_token, other);
    expect(moved.body.organization_id).toBe(other);
    expect((await refresh(moved.body.refresh_token)).body.organization_id).toBe(other);
  });

  test('a directory makes its own people members, and renames them', async () => {
    const provider = await newProvider({}, { domain: 'acme.example' });
    const { id } = await newScimUser(provider, 'ada@acme.example', { name: { givenName: 'Ada' } });
    const body = { Operations: [{ op: 'replace', path: 'name.givenName', value: 'Augusta' }] };
    const schemas = ['urn:ietf:params:scim:api:messages:2.0:PatchOp'];
    expect((await provider.send('PATCH', `/Users/${id}`, { schemas, ...body })).status).toBe(200);
    await idle();
    const query = `organization_id=${provider.directory.organization_id}`;
    const members = await call<{ data: unknown[] }>('GET', `/user_management/organization_memberships?${query}`);
    expect(members.body.data).toMatchObject([{ status: 'active' }]);
    const users = await call<{ data: unknown[] }>('GET', '/user_management/users?email=ada@acme.example');
    expect(users.body.data).toMatchObject([{ first_name: 'Augusta', email_verified: true }]);
  });
});

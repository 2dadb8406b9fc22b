import { beforeEach, describe, expect, test } from '@jest/globals';

import { newOrganization } from '../../support/organizations.ts';
import { advance, call, idle, reset, sdk } from '../../support/service.ts';
import { addMembership } from '../../support/users.ts';
import {
  ADA,
  begin,
  check,
  complete,
  configure,
  exchange,
  link,
  readStatus,
  readToken,
  register,
} from './registering.ts';
import { agentEvents, givePermissions, readClaims, setMemberPermissions } from './support.ts';

beforeEach(async () => {
  await reset();
  await givePermissions('posts:write');
  await configure();
});

describe('a claim of an agent', () => {
  test("assigns the agent to the user who opened the link and to the user's organization, with the permissions that the user has there", async () => {
    const member = await newOrganization('Ada Inc');
    const { body } = await register();
    const before = (await exchange(body.identity?.assertion)).body.access_token;
    const key = (await exchange(body.identity?.assertion, { credential_type: 'api_key' })).body.access_token;
    const { attempt } = (await begin(body.claim?.token)).body;
    expect(attempt.verification_uri.startsWith('https://app.example.com/claim?from=agent&claim_attempt_token=')).toBe(
      true,
    );
    const created = (await link(readToken(attempt))).body;
    expect(created).toMatchObject({ id: body.id, status: 'unverified', organizations: [] });
    const user = await sdk().userManagement.getUserByExternalId('ada');
    await addMembership(user.id, member, 'active');
    const view = (await link(readToken(attempt))).body;
    expect(view).toMatchObject({ user_code: created.user_code, organizations: [{ id: member, name: 'Ada Inc' }] });
    const claimed = (await complete(body.claim?.token, view.user_code.toLowerCase().replace('-', ' '))).body;
    expect(claimed).toMatchObject({ id: body.id, status: 'verified', organization_id: member });
    const after = (await exchange(claimed.identity.assertion)).body;
    expect(after.scope).toBe('posts:write');
    expect(readClaims(after.access_token)).toMatchObject({ org_id: member, act: { sub: user.id } });
    expect(await check('access_token', after.access_token)).toMatchObject({ valid: true });
    for (const [type, old] of [
      ['access_token', before],
      ['api_key', key],
    ] as const)
      expect(await check(type, old)).toMatchObject({ valid: false });
    await setMemberPermissions('posts:read');
    expect((await exchange(claimed.identity.assertion)).body.scope).toBe('posts:read');
    expect((await sdk().agents.getRegistration(body.id)).agentIdentity.userlandUserId).toBe(user.id);
    await idle();
    const found = await agentEvents(
      'registration.claim.attempt.created',
      'registration.claim.completed',
      'registration.organization.switched',
    );
    expect(found.map(({ event }) => event)).toEqual([
      'agent.registration.claim.attempt.created',
      'agent.registration.claim.completed',
      'agent.registration.organization.switched',
    ]);
    expect(found[1]?.data).toMatchObject({ claimed_by: { user_id: user.id, organization_id: member } });
    await call('DELETE', `/user_management/users/${user.id}`);
    expect(await check('access_token', after.access_token)).toMatchObject({ valid: false });
  });

  test('requires all three of the claim token, the link and the code; any two are not sufficient', async () => {
    const { body } = await register({ type: 'service_auth', login_hint: ADA });
    expect(body.identity).toBeNull();
    const { token, attempt } = body.claim ?? { token: '', attempt: null };
    // The agent has both tokens but not the code, and it cannot read the code without an API key of the environment.
    expect((await complete(token, 'BCDF-GHJK')).body.code).toBe('claim_not_confirmed');
    const opened = await call('PATCH', '/agents/claims/attempts', {}, { apiKey: null });
    expect(opened.status).toBe(401);
    const { user_code: code } = (await link(readToken(attempt))).body;
    // A person with the link and the code has no claim token, and the token of the attempt is not accepted instead.
    expect((await complete(readToken(attempt), code)).body.code).toBe('invalid_claim_token');
    const other = (await register()).body;
    expect((await complete(other.claim?.token, code)).body.code).toBe('claim_not_confirmed');
    // The claim token does not open the link of an attempt.
    expect((await link(token)).body.code).toBe('invalid_claim');
    expect((await complete(token, code)).status).toBe(200);
  });

  test('accepts at most five attempts for a code, also in parallel', async () => {
    const { claim } = (await register({ type: 'service_auth', login_hint: ADA })).body;
    const { user_code: code } = (await link(readToken(claim?.attempt))).body;
    const wrong = code.startsWith('B') ? 'CCCC-CCCC' : 'BBBB-BBBB';
    const tries = await Promise.all(Array.from({ length: 100 }, () => complete(claim?.token, wrong)));
    expect(tries.filter(({ body }) => body.code === 'invalid_user_code')).toHaveLength(5);
    expect(tries.filter(({ status }) => status === 429)).toHaveLength(95);
    expect((await complete(claim?.token, code)).status).toBe(429);
    const again = (await begin(claim?.token)).body.attempt;
    const next = (await link(readToken(again))).body.user_code;
    expect((await complete(claim?.token, next)).status).toBe(200);
  });

  test('returns the declared error for each state of an attempt and for each wrong user', async () => {
    const { id, claim } = (await register({ type: 'service_auth', login_hint: ADA })).body;
    const first = readToken(claim?.attempt);
    const expectCode = async (
      response: Promise<{ status: number; body: { code?: string } }>,
      status: number,
      code: string,
    ) => {
      const { status: found, body } = await response;
      expect([found, body.code]).toEqual([status, code]);
    };
    await expectCode(link('x'), 400, 'invalid_claim');
    await expectCode(link(`${first.slice(0, -1)}${first.endsWith('a') ? 'b' : 'a'}`), 400, 'invalid_claim');
    await expectCode(link(first, { type: 'other' }), 400, 'invalid_request');
    await expectCode(link(first, {}, { email: 'eve@example.com' }), 400, 'email_mismatch');
    await call('POST', '/user_management/users', { email: 'grace@example.com', external_id: 'grace' });
    await expectCode(link(first, {}, { external_id: 'grace' }), 400, 'email_mismatch');
    const ada = await call<{ id: string }>('POST', '/user_management/users', { email: ADA });
    await expectCode(link(first), 409, 'email_already_in_use');
    await call('PUT', `/user_management/users/${ada.body.id}`, { external_id: 'ada' });
    const [one, two] = [await newOrganization('One'), await newOrganization('Two')];
    for (const organization of [one, two]) await addMembership(ada.body.id, organization, 'active');
    const several = await link(first);
    expect(several).toMatchObject({ status: 409, body: { code: 'organization_selection_required' } });
    expect(several.body.organizations.map((organization) => organization.id).toSorted()).toEqual([one, two].toSorted());
    await expectCode(link(first, { organization_id: await newOrganization() }), 400, 'invalid_organization');
    const chosen = (await link(first, { organization_id: two })).body;
    expect((await link(first)).body.user_code).toBe(chosen.user_code);
    await call('PUT', `/user_management/users/${ada.body.id}`, { external_id: 'former' });
    await call('PUT', `/user_management/users/${ada.body.id}`, { email: 'former@example.com' });
    await expectCode(link(first), 400, 'wrong_account');
    await configure({ service_auth: false });
    await expectCode(link(first), 403, 'auth_method_disabled');
    await expectCode(begin(claim?.token), 403, 'auth_method_disabled');
    await configure();
    await advance(601);
    await expectCode(link(first), 410, 'user_code_expired');
    await expectCode(complete(claim?.token, chosen.user_code), 410, 'user_code_expired');
    await expectCode(begin(claim?.token, 'eve@example.com'), 400, 'invalid_claim_token');
    await expectCode(begin('x'), 400, 'invalid_claim_token');
    await expectCode(complete('x', 'y'), 400, 'invalid_claim_token');
    await expectCode(complete('', 'y'), 400, 'invalid_request');
    await expectCode(begin(''), 400, 'invalid_request');
    const second = readToken((await begin(claim?.token)).body.attempt);
    await expectCode(link(first), 400, 'invalid_claim');
    await advance(3_601);
    await expectCode(link(second), 410, 'claim_expired');
    const third = readToken((await begin(claim?.token)).body.attempt);
    const { user_code: code } = (await link(third, {}, { external_id: 'ada-again' })).body;
    expect((await complete(claim?.token, code)).status).toBe(200);
    await expectCode(link(third), 409, 'already_claimed');
    await expectCode(complete(claim?.token, code), 409, 'already_claimed');
    await expectCode(begin(claim?.token), 409, 'already_claimed');
    const revoked = (await register({ type: 'service_auth', login_hint: ADA })).body;
    await call('POST', `/x/agents/registrations/${revoked.id}/revoke`);
    await expectCode(link(readToken(revoked.claim?.attempt)), 403, 'claim_denied');
    expect(await readStatus(id)).toBe('verified');
  });
});

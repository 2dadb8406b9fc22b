import { beforeEach, describe, expect, test } from '@jest/globals';

import { newOrganization } from '../../support/organizations.ts';
import { advance, call, idle, reset, sdk, service } from '../../support/service.ts';
import { addMembership } from '../../support/users.ts';
import {
  agentEvents,
  autonomous,
  givePermissions,
  newBlueprint,
  newMember,
  readClaims,
  setMemberPermissions,
} from './support.ts';

interface Registered {
  id: string;
  type: string;
  identity: { assertion: string; expires_at: string } | null;
  claim: { token: string; expires_at: string; url: string; attempt: Attempt | null } | null;
  scopes: { pre_claim: string[]; post_claim: string[] };
  code?: string;
}

interface Attempt {
  id: string;
  verification_uri: string;
  expires_at: string;
}

interface Credential {
  access_token: string;
  expires_in?: number;
  scope: string;
  error?: string;
}

interface View {
  id: string;
  status: string;
  user_code: string;
  organizations: { id: string; name: string }[];
  code?: string;
}

const ADA = 'ada@example.com';
const CLAIM_URI = 'https://app.example.com/claim?from=agent';
const SETTINGS = {
  anonymous: true,
  service_auth: true,
  claim_uri: CLAIM_URI,
  pre_claim_permissions: ['posts:read'],
  post_claim_permissions: ['posts:read', 'posts:write', 'posts:gone'],
};

const configure = (registrations: object = {}) =>
  call('PUT', '/x/agents/settings', { registrations: { ...SETTINGS, ...registrations } });

async function keyless<T>(path: string, body: object) {
  const { clientId } = await service();
  return call<T>('POST', `/oauth2/${clientId}/agent/${path}`, body, { apiKey: null });
}

const register = (body: object = { type: 'anonymous' }) => keyless<Registered>('identity', body);
const exchange = (assertion = '', more: object = {}) =>
  keyless<Credential>('token', { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion, ...more });
const begin = (token = '', loginHint = ADA) =>
  keyless<{ attempt: Attempt; code?: string }>('identity/claim', { claim_token: token, login_hint: loginHint });
const complete = (token = '', code = '') =>
  keyless<{ organization_id: string; identity: { assertion: string }; code?: string }>('identity/claim/complete', {
    claim_token: token,
    user_code: code,
  });
const link = (token: string, more: object = {}, user: object = {}) =>
  call<View>('PATCH', '/agents/claims/attempts', {
    type: 'link_external_user',
    claim_attempt_token: token,
    user: { email: ADA, external_id: 'ada', ...user },
    ...more,
  });
const check = async (type: string, credential: string, more: object = {}) =>
  (
    await call<{ valid: boolean; registration_id: string | null; expires_at: string | null }>(
      'POST',
      '/agents/credentials/validate',
      { type, credential, ...more },
    )
  ).body;
const readToken = (attempt: Attempt | null | undefined): string =>
  new URL(attempt?.verification_uri ?? '').searchParams.get('claim_attempt_token') ?? '';
const readStatus = async (id: string): Promise<string> =>
  (await call<{ status: string }>('GET', `/agents/registrations/${id}`)).body.status;

beforeEach(async () => {
  await reset();
  await givePermissions('posts:write');
  await configure();
});

describe('an agent of other people', () => {
  test('registers without a person, in an organization of its own, with the permissions before a claim', async () => {
    const { status, body } = await register();
    expect(status).toBe(200);
    expect(body).toMatchObject({ type: 'anonymous', scopes: { pre_claim: ['posts:read'] }, claim: { attempt: null } });
    const record = await sdk().agents.getRegistration(body.id);
    expect(record).toMatchObject({ id: body.id, status: 'unverified', kind: 'anonymous' });
    const { access_token: token, expires_in: seconds, scope } = (await exchange(body.identity?.assertion)).body;
    expect([seconds, scope]).toEqual([300, 'posts:read']);
    expect(readClaims(token)).toMatchObject({ sub: body.id, org_id: record.organizationId, scope: 'posts:read' });
    expect(await sdk().agents.validateCredential({ type: 'access_token', credential: token })).toMatchObject({
      valid: true,
      registrationId: body.id,
    });
    await idle();
    const names = (await agentEvents('registration.created', 'registration.credential.issued')).map(
      ({ event }) => event,
    );
    expect(names).toEqual(['agent.registration.created', 'agent.registration.credential.issued']);
  });

  test('is put into the organization of the setting, and nothing is registered where it is gone', async () => {
    const organizationId = await newOrganization();
    await configure({ organization_id: organizationId });
    const { body } = await register();
    expect((await sdk().agents.getRegistration(body.id)).organizationId).toBe(organizationId);
    await call('DELETE', `/organizations/${organizationId}`);
    expect(await register()).toMatchObject({ status: 403, body: { code: 'auth_method_disabled' } });
    expect((await exchange(body.identity?.assertion)).body.error).toBe('invalid_grant');
    await idle();
    expect((await call('GET', `/agents/registrations/${body.id}`)).status).toBe(404);
    expect((await agentEvents('registration.deleted')).map(({ data }) => data)).toEqual([
      { agent_registration_id: body.id },
    ]);
  });

  test('registers only in the ways that are on, of an environment that exists', async () => {
    await call('PUT', '/x/agents/settings', {});
    for (const body of [{ type: 'anonymous' }, { type: 'service_auth', login_hint: ADA }])
      expect(await register(body)).toMatchObject({ status: 403, body: { code: 'auth_method_disabled' } });
    await configure({ claim_uri: null });
    expect((await register({ type: 'service_auth', login_hint: ADA })).status).toBe(403);
    expect((await register()).body.claim).toBeNull();
    for (const body of [
      {},
      { type: 'identity_assertion' },
      { type: 'service_auth' },
      { type: 'service_auth', login_hint: 'x' },
    ])
      expect(await register(body)).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    const unknown = 'client_01K0G000000000000000000009';
    for (const path of ['identity', 'identity/claim', 'identity/claim/complete', 'token'])
      expect((await call('POST', `/oauth2/${unknown}/agent/${path}`, {}, { apiKey: null })).status).toBe(404);
  });

  test('refreshes its assertion, which only the token endpoint takes, until the registration is over', async () => {
    const { body } = await register();
    await advance(3_000);
    const { status, body: refreshed } = await register({ type: 'refresh', assertion: body.identity?.assertion });
    expect([status, refreshed.id]).toEqual([200, body.id]);
    await advance(601);
    expect((await exchange(body.identity?.assertion)).body.error).toBe('invalid_grant');
    const assertion = refreshed.identity?.assertion ?? '';
    const access = (await exchange(assertion)).body.access_token;
    expect(await check('access_token', assertion)).toMatchObject({ valid: false });
    expect((await exchange(access)).body.error).toBe('invalid_grant');
    expect((await exchange('x')).body.error).toBe('invalid_grant');
    expect((await exchange(assertion, { grant_type: 'password' })).body.error).toBe('unsupported_grant_type');
    await idle();
    expect((await agentEvents('registration.refreshed')).map(({ data }) => data)).toEqual([
      { agent_registration_id: body.id },
    ]);
    await call('POST', `/x/agents/registrations/${body.id}/revoke`);
    expect(await register({ type: 'refresh', assertion })).toMatchObject({ status: 400 });
    expect((await exchange(assertion)).body.error).toBe('invalid_grant');
  });

  test('expires after a day unless it is claimed; the end is final', async () => {
    const { body } = await register();
    await advance(86_401);
    expect(await readStatus(body.id)).toBe('expired');
    expect((await begin(body.claim?.token)).body.code).toBe('claim_expired');
    expect((await complete(body.claim?.token, 'BCDF-GHJK')).body.code).toBe('claim_expired');
    await idle();
    expect((await agentEvents('registration.expired')).map(({ data }) => data)).toEqual([
      { agent_registration_id: body.id },
    ]);
    await call('POST', `/x/agents/registrations/${body.id}/revoke`);
    expect(await readStatus(body.id)).toBe('expired');
  });
});

describe('a credential', () => {
  test('is invalid if it is of a blueprint, a user, another audience, or a registration that is over', async () => {
    const member = await newMember();
    const { body } = await register();
    const token = (await exchange(body.identity?.assertion)).body.access_token;
    const agent = (await autonomous(await newBlueprint(), member.organizationId)).body.access_token;
    const { clientId, apiKey } = await service();
    expect(await check('access_token', token, { audience: clientId })).toMatchObject({
      valid: true,
      registration_id: body.id,
      expires_at: expect.any(String),
    });
    const none = { valid: false, registration_id: null, expires_at: null };
    for (const [type, credential, more] of [
      ['access_token', token, { audience: 'https://api.example.com' }],
      ['access_token', member.token, {}],
      ['access_token', agent, {}],
      ['access_token', 'x', {}],
      ['access_token', `${token}\uffff😀`, {}],
      ['api_key', apiKey, {}],
      ['api_key', token, {}],
    ] as const)
      expect(await check(type, credential, more)).toEqual(none);
    const wrong = await call('POST', '/agents/credentials/validate', { type: 'password', credential: 'x' });
    expect(wrong).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    const revoked = await call<{ status: string }>('POST', `/x/agents/registrations/${body.id}/revoke`);
    expect(revoked.body.status).toBe('revoked');
    expect(await check('access_token', token)).toEqual(none);
    await idle();
    expect((await agentEvents('registration.revoked')).length).toBe(1);
    expect((await call('POST', '/x/agents/registrations/agent_reg_01K0G000000000000000000009/revoke')).status).toBe(
      404,
    );
  });

  test('may be an API key, which names its registration, is used up by nothing, and ends with it', async () => {
    const { body } = await register();
    const make = () => exchange(body.identity?.assertion, { credential_type: 'api_key' });
    const first = (await make()).body;
    expect(first.scope).toBe('posts:read');
    const second = (await make()).body.access_token;
    expect(await check('api_key', first.access_token)).toMatchObject({ valid: false });
    expect(await check('api_key', second)).toEqual({ valid: true, registration_id: body.id, expires_at: null });
    const validations = () =>
      call<{ api_key: { last_used_at: string | null } | null; agent_registration_id?: string }>(
        'POST',
        '/api_keys/validations',
        { value: second },
      );
    expect((await validations()).body).toMatchObject({
      agent_registration_id: body.id,
      api_key: { last_used_at: null, permissions: ['posts:read'] },
    });
    await call('POST', `/x/agents/registrations/${body.id}/revoke`);
    expect(await check('api_key', second)).toMatchObject({ valid: false });
    expect((await validations()).body).toEqual({ api_key: null });
  });
});

describe('a claim', () => {
  test('gives the agent to the person who opened the link, in their organization, with what they may do', async () => {
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

  test('is completed by no two of its three parts', async () => {
    const { body } = await register({ type: 'service_auth', login_hint: ADA });
    expect(body.identity).toBeNull();
    const { token, attempt } = body.claim ?? { token: '', attempt: null };
    // The agent has both tokens, and no code: it cannot be shown one, since that takes a key of the environment.
    expect((await complete(token, 'BCDF-GHJK')).body.code).toBe('claim_not_confirmed');
    const opened = await call('PATCH', '/agents/claims/attempts', {}, { apiKey: null });
    expect(opened.status).toBe(401);
    const { user_code: code } = (await link(readToken(attempt))).body;
    // A person with the link and the code lacks the claim token, and an attempt's token is none.
    expect((await complete(readToken(attempt), code)).body.code).toBe('invalid_claim_token');
    const other = (await register()).body;
    expect((await complete(other.claim?.token, code)).body.code).toBe('claim_not_confirmed');
    // The claim token opens no attempt.
    expect((await link(token)).body.code).toBe('invalid_claim');
    expect((await complete(token, code)).status).toBe(200);
  });

  test('counts five tries of a code in all, also parallel ones', async () => {
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

  test('answers each state of an attempt, and each person, with its code', async () => {
    const { id, claim } = (await register({ type: 'service_auth', login_hint: ADA })).body;
    const first = readToken(claim?.attempt);
    const expectCode = async (
      answer: Promise<{ status: number; body: { code?: string } }>,
      status: number,
      code: string,
    ) => {
      const { status: found, body } = await answer;
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

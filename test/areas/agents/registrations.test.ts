import { beforeEach, describe, expect, test } from '@jest/globals';

import { newOrganization } from '../../support/organizations.ts';
import { advance, call, idle, reset, sdk, service } from '../../support/service.ts';
import { setSettings } from '../../support/settings.ts';
import { addMembership, addUser } from '../../support/users.ts';
import { otherEnvironment } from '../authentication/inside.ts';
import { ADA, begin, check, complete, configure, exchange, readStatus, register } from './registering.ts';
import { agentEvents, autonomous, givePermissions, newBlueprint, newMember, readClaims } from './support.ts';

beforeEach(async () => {
  await reset();
  await givePermissions('posts:write');
  await configure();
});

describe('an agent of another party', () => {
  test('registers itself without a user, in an organization of its own, with the permissions for unclaimed agents', async () => {
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

  test('reads in auth.md how to register, without a key', async () => {
    const { clientId } = await service();
    const path = `/x/agents/environments/${clientId}`;
    const { status, body } = await call<string>('GET', `${path}/auth.md`, undefined, { apiKey: null });
    expect(status).toBe(200);
    expect(body).toMatch(/^# auth\.md/);
    expect(body).toContain(`${path}/identity`);
  });

  test('is registered in the organization of the setting, and is rejected if that was deleted', async () => {
    const organizationId = await newOrganization();
    await configure({ organization_id: organizationId });
    const { body } = await register();
    expect((await sdk().agents.getRegistration(body.id)).organizationId).toBe(organizationId);
    await idle();
    await call('DELETE', `/organizations/${organizationId}`);
    expect(await register()).toMatchObject({ status: 403, body: { code: 'auth_method_disabled' } });
    expect((await exchange(body.identity?.assertion)).body.error).toBe('invalid_grant');
    await idle();
    expect((await call('GET', `/agents/registrations/${body.id}`)).status).toBe(404);
    expect((await agentEvents('registration.deleted')).map(({ data }) => data)).toEqual([
      { agent_registration_id: body.id },
    ]);
  });

  test('is rejected after twenty registrations of its network within an hour, and not an hour later', async () => {
    await setSettings({ limits: { 'agent-identity.address': { limit: 20, window_seconds: 3_600 } } });
    for (let count = 0; count < 20; count += 1) expect((await register()).status).toBe(200);
    const rejected = await register();
    expect(rejected.status).toBe(429);
    const seconds = Number(rejected.headers['retry-after']);
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(3_600);
    await advance(seconds + 1);
    expect((await register()).status).toBe(200);
  });

  test('refreshes its assertion whatever others of its network do, sixty times within an hour', async () => {
    const { body } = await register();
    await setSettings({ limits: { 'agent-identity.address': { limit: 1, window_seconds: 3_600 } } });
    const refreshOnce = () => register({ type: 'refresh', assertion: body.identity?.assertion });
    expect((await register()).status).toBe(429);
    for (let count = 0; count < 60; count += 1) expect((await refreshOnce()).status).toBe(200);
    expect((await refreshOnce()).status).toBe(429);
    // An assertion of another signer is counted by the network.
    expect((await register({ type: 'refresh', assertion: 'a.b.c' })).status).toBe(429);
  });

  test('can register only by the enabled methods, in an existing environment', async () => {
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
      expect((await call('POST', `/x/agents/environments/${unknown}/${path}`, {}, { apiKey: null })).status).toBe(404);
  });

  test('refreshes its assertion, which only the token endpoint accepts, until the registration has ended', async () => {
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

  test('expires after a day unless it is claimed, and then stays expired', async () => {
    const { body } = await register();
    await advance(86_401);
    expect(await readStatus(body.id)).toBe('expired');
    expect((await begin(body.claim?.token)).body.code).toBe('claim_expired');
    const grant_type = 'urn:example:agent-auth:grant-type:claim';
    expect((await exchange('', { grant_type, claim_token: body.claim?.token })).body.error).toBe('expired_token');
    expect((await complete(body.claim?.token, 'BCDF-GHJK')).body.code).toBe('claim_expired');
    await idle();
    expect((await agentEvents('registration.expired')).map(({ data }) => data)).toEqual([
      { agent_registration_id: body.id },
    ]);
    await call('POST', `/x/agents/registrations/${body.id}/revoke`);
    expect(await readStatus(body.id)).toBe('expired');
  });

  test('is removed a week after it expired, with its own organization, but not with one that has a member', async () => {
    const [single, shared] = [(await register()).body.id, (await register()).body.id];
    const findOrganization = async (id: string) => (await sdk().agents.getRegistration(id)).organizationId;
    const [own, used] = [await findOrganization(single), await findOrganization(shared)];
    await addMembership(await addUser(), used, 'active');
    await advance(86_401);
    await idle();
    await advance(7 * 86_400 + 1);
    await idle();
    for (const id of [single, shared]) expect((await call('GET', `/agents/registrations/${id}`)).status).toBe(404);
    expect((await call('GET', `/organizations/${own}`)).status).toBe(404);
    expect((await call('GET', `/organizations/${used}`)).status).toBe(200);
    const deleted = (await agentEvents('registration.deleted')).map(({ data }) => data.agent_registration_id);
    expect(deleted.toSorted()).toEqual([single, shared].toSorted());
  });
});

describe('a credential of a registered agent', () => {
  test('is rejected if it is of a blueprint, a user, another audience, another environment or an ended registration', async () => {
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
    const { apiKey: elsewhere } = await otherEnvironment();
    const presented = { type: 'access_token', credential: token };
    const foreign = await call('POST', '/agents/credentials/validate', presented, { apiKey: elsewhere });
    expect(foreign).toMatchObject({ status: 200, body: none });
    const wrong = await call('POST', '/agents/credentials/validate', { type: 'password', credential: 'x' });
    expect(wrong).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    const revoked = await call<{ status: string }>('POST', `/x/agents/registrations/${body.id}/revoke`);
    expect(revoked.body).toMatchObject({ status: 'revoked', revoked_at: expect.any(String) });
    await advance(60);
    const again = await call('POST', `/agents/registrations/${body.id}/revoke`);
    expect(again).toMatchObject({ status: 200, body: revoked.body });
    expect((await call('GET', `/agents/registrations/${body.id}`)).body).toEqual(revoked.body);
    expect(await check('access_token', token)).toEqual(none);
    await idle();
    expect((await agentEvents('registration.revoked')).length).toBe(1);
    expect((await call('POST', '/x/agents/registrations/agent_reg_01K0G000000000000000000009/revoke')).status).toBe(
      404,
    );
  });

  test('can be an API key, which names its registration, can be used repeatedly, and is revoked with the registration', async () => {
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

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose';

import { newOrganization } from '../../support/organizations.ts';
import { advance, call, idle, now, reset, service } from '../../support/service.ts';
import { addMembership, addUser } from '../../support/users.ts';
import { ADA, check, configure, type Credential, exchange, keyless, readStatus, register } from './registering.ts';
import { agentEvents, givePermissions, readClaims } from './support.ts';

type Keys = Awaited<ReturnType<typeof generateKeyPair>>;

const ISSUER = 'https://idp.example.com';
let keys: Keys;
let others: Keys;
let server: Server;
let jwksUri: string;
let asked = 0;
/** Replaces the response of the issuer. */
let respond: (() => { status?: number; headers?: Record<string, string>; body: string }) | undefined;

beforeAll(async () => {
  [keys, others] = await Promise.all([generateKeyPair('ES256'), generateKeyPair('ES256')]);
  const published = { keys: [{ ...(await exportJWK(keys.publicKey)), kid: 'one', alg: 'ES256' }] };
  server = createServer((_, response) => {
    asked += 1;
    const { status = 200, headers = {}, body } = respond?.() ?? { body: JSON.stringify(published) };
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  jwksUri = `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks`;
});

afterAll(() => {
  server.close();
});

let organizationId: string;
let userId: string;
let made = 0;

const trust = (more: object = {}, registrations: object = {}) =>
  configure({
    identity_assertion: true,
    trusted_issuers: [{ issuer: ISSUER, jwks_uri: jwksUri, organization_id: organizationId, ...more }],
    ...registrations,
  });

interface Claims {
  [name: string]: unknown;
}

/** The claims and header of an assertion about Ada. */
async function standard() {
  const { url, clientId } = await service();
  const seconds = Math.floor((await now()) / 1_000);
  const claims: Claims = {
    iss: ISSUER,
    sub: 'ada-at-idp',
    aud: `${url}/user_management/${clientId}`,
    client_id: 'assistant',
    jti: `jti-${(made += 1)}`,
    iat: seconds,
    exp: seconds + 300,
    email: ADA,
    email_verified: true,
  };
  return { claims, header: { alg: 'ES256', kid: 'one', typ: 'oauth-id-jag+jwt' } };
}

/** Signs an assertion about Ada, with changed claims and header; an undefined claim is left out. */
async function assertion(changed: Claims = {}, head: Record<string, string> = {}, signer = keys.privateKey) {
  const { claims, header } = await standard();
  const payload = JSON.parse(JSON.stringify({ ...claims, ...changed })) as Claims;
  return new SignJWT(payload).setProtectedHeader({ ...header, ...head }).sign(signer);
}

const present = (text: string) => register({ type: 'identity_assertion', assertion: text });

beforeEach(async () => {
  await reset();
  await givePermissions('posts:write');
  respond = undefined;
  organizationId = await newOrganization('Ada Inc');
  userId = await addUser(ADA);
  await addMembership(userId, organizationId, 'active');
  await trust();
});

describe('an identity assertion of a trusted issuer', () => {
  test('registers one verified agent of its user, with at most the permissions of the user', async () => {
    const { status, body } = await present(await assertion());
    expect({ status, body }).toMatchObject({ status: 200, body: { type: 'identity_assertion', claim: null } });
    expect(await readStatus(body.id)).toBe('verified');
    const { access_token: token, scope } = (await exchange(body.identity?.assertion)).body;
    expect(scope).toBe('posts:write');
    expect(readClaims(token)).toMatchObject({ sub: body.id, org_id: organizationId, act: { sub: userId } });
    expect(await check('access_token', token)).toMatchObject({ valid: true, registration_id: body.id });
    // From now on the subject identifies the user, whatever the address.
    expect((await present(await assertion({ email: undefined }))).body.id).toBe(body.id);
    expect((await present(await assertion({ client_id: 'another' }))).body.id).not.toBe(body.id);
    await idle();
    const found = await agentEvents('registration.created', 'registration.refreshed');
    expect(found.map(({ event }) => event)).toEqual([
      'agent.registration.created',
      'agent.registration.refreshed',
      'agent.registration.created',
    ]);
    expect(found[0]?.data).toMatchObject({
      kind: 'identity_assertion',
      method: 'id_jag',
      status: 'verified',
      agent_identity: { userland_user_id: userId },
    });
  });

  test('is used once, also by parallel requests, and makes one registration', async () => {
    const text = await assertion();
    const responses = await Promise.all(Array.from({ length: 8 }, () => present(text)));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(7).fill(400)]);
    await advance(120);
    expect((await present(text)).status).toBe(400);
    const several = await Promise.all((await Promise.all([1, 2, 3].map(() => assertion()))).map(present));
    expect(new Set(several.map(({ body }) => body.id)).size).toBe(1);
  });

  test('is rejected with the same response for every fault', async () => {
    const { url, clientId } = await service();
    const server = `${url}/user_management/${clientId}`;
    await addMembership(await addUser('eve@example.com'), await newOrganization('Elsewhere'), 'active');
    const { claims } = await standard();
    const secret = Buffer.from(JSON.stringify(await exportJWK(keys.publicKey)));
    const wrong: Readonly<Record<string, (seconds: number) => Promise<string> | string>> = {
      'another issuer': () => assertion({ iss: 'https://evil.example.com' }),
      'the issuer with a slash': () => assertion({ iss: `${ISSUER}/` }),
      'another audience': () => assertion({ aud: 'https://other.example.com' }),
      'the token endpoint as audience': () => assertion({ aud: `${url}/oauth2/${clientId}/token` }),
      'two audiences': () => assertion({ aud: [server, 'https://other.example.com'] }),
      'another key': () => assertion({}, {}, others.privateKey),
      'an unknown key id': () => assertion({}, { kid: 'two' }),
      'another type': () => assertion({}, { typ: 'JWT' }),
      'no signature': () => new UnsecuredJWT(claims).encode(),
      'the public key as a secret': () =>
        new SignJWT(claims).setProtectedHeader({ alg: 'HS256', kid: 'one', typ: 'oauth-id-jag+jwt' }).sign(secret),
      'its end': (seconds) => assertion({ iat: seconds - 400, exp: seconds - 60 }),
      'an end in a day': (seconds) => assertion({ exp: seconds + 86_400 }),
      'an issue in an hour': (seconds) => assertion({ iat: seconds + 3_600, exp: seconds + 3_900 }),
      'no end': () => assertion({ exp: undefined }),
      'no jti': () => assertion({ jti: undefined }),
      'no subject': () => assertion({ sub: undefined }),
      'no client': () => assertion({ client_id: undefined }),
      'an address that is not verified': () => assertion({ email_verified: false }),
      'an address that is said to be verified in words': () => assertion({ email_verified: 'true' }),
      'a user of another organization': () => assertion({ sub: 'eve', email: 'eve@example.com' }),
      'an unknown user': () => assertion({ sub: 'nobody', email: 'nobody@example.com' }),
      'no JWT': () => 'eyJ',
      text: () => '\uFFFF🚀',
    };
    for (const [at, [name, sign]] of Object.entries(wrong).entries()) {
      // The limit of an address is twenty an hour.
      if (at % 15 === 14) await advance(3_601);
      const text = await sign(Math.floor((await now()) / 1_000));
      const { status, body } = await keyless<Credential>('identity', {
        type: 'identity_assertion',
        assertion: text,
      });
      expect([name, status, body.error]).toEqual([name, 400, 'invalid_grant']);
    }
    // A rejected assertion does not use up its `jti`.
    expect((await present(await assertion({ jti: claims.jti }))).status).toBe(200);
  });

  test('is accepted only from the listed agents, for members, and while this kind of registration is enabled', async () => {
    await trust({ client_ids: ['named'] });
    expect((await present(await assertion())).status).toBe(400);
    const { body } = await present(await assertion({ client_id: 'named' }));
    await trust({}, { identity_assertion: false });
    expect((await present(await assertion())).body.code).toBe('auth_method_disabled');
    await trust({ organization_id: await newOrganization('Elsewhere') });
    expect((await present(await assertion())).status).toBe(400);
    await trust();
    await call('DELETE', `/user_management/users/${userId}`);
    expect((await present(await assertion())).status).toBe(400);
    expect((await exchange(body.identity?.assertion)).body.error).toBe('invalid_grant');
  });

  test('for another subject does not match a user that the issuer has already asserted under a different subject', async () => {
    await present(await assertion());
    expect((await present(await assertion({ sub: 'mallory-at-idp' }))).status).toBe(400);
  });

  test('does not bring back a registration that was revoked', async () => {
    const { body } = await present(await assertion());
    await call('POST', `/x/agents/registrations/${body.id}/revoke`);
    expect(await present(await assertion())).toMatchObject({ status: 403, body: { code: 'claim_denied' } });
  });

  test('is not accepted while the keys cannot be fetched, and an unknown key id does not flood the issuer', async () => {
    await advance(600);
    for (const response of [
      { status: 500, body: '{}' },
      { status: 302, headers: { location: 'http://127.0.0.1:1/' }, body: '' },
      { body: '{"keys": "none"}' },
      { body: 'no JSON' },
      { body: `{"keys": [], "more": "${'x'.repeat(100_000)}"}` },
    ]) {
      respond = () => response;
      expect((await present(await assertion())).status).toBe(400);
      await advance(60);
    }
    await trust({ jwks_uri: 'http://169.254.169.254/latest/meta-data' });
    expect((await present(await assertion())).status).toBe(400);
    await trust();
    respond = undefined;
    expect((await present(await assertion())).status).toBe(200);
    const before = asked;
    for (let at = 0; at < 5; at += 1) await present(await assertion({}, { kid: `guess-${at}` }));
    expect(asked).toBe(before);
  });
});

describe('the token endpoint of the OAuth server', () => {
  const token = async (form: Record<string, string>) =>
    call<Credential & { identity_assertion?: string }>(
      'POST',
      `/oauth2/${(await service()).clientId}/token`,
      undefined,
      {
        apiKey: null,
        rawBody: new URLSearchParams(form).toString(),
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      },
    );
  const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

  test('exchanges the assertion of a registration', async () => {
    const { body } = await present(await assertion());
    const {
      status,
      headers,
      body: responseBody,
    } = await token({
      grant_type: JWT_BEARER,
      assertion: body.identity?.assertion ?? '',
    });
    expect([status, headers['cache-control'], responseBody.expires_in]).toEqual([200, 'no-store', 300]);
    expect(await check('access_token', responseBody.access_token)).toMatchObject({ valid: true });
    for (const text of ['', 'eyJ', await assertion(), responseBody.access_token])
      expect(await token({ grant_type: JWT_BEARER, assertion: text })).toMatchObject({
        status: 400,
        body: { error: 'invalid_grant' },
      });
  });

  test('responds to the claim grant with the state of the claim, and after its completion with tokens', async () => {
    const poll = (text: string) => token({ grant_type: 'urn:example:agent-auth:grant-type:claim', claim_token: text });
    const { claim, id } = (await register({ type: 'service_auth', login_hint: ADA })).body;
    const held = claim?.token ?? '';
    expect((await poll(held)).body.error).toBe('authorization_pending');
    const attempt = new URL(claim?.attempt?.verification_uri ?? '').searchParams.get('claim_attempt_token') ?? '';
    expect((await poll(attempt)).body.error).toBe('invalid_grant');
    await call('PUT', `/user_management/users/${userId}`, { external_id: 'ada' });
    const { user_code: code } = (
      await call<{ user_code: string }>('PATCH', '/agents/claims/attempts', {
        type: 'link_external_user',
        claim_attempt_token: attempt,
        user: { email: ADA, external_id: 'ada' },
      })
    ).body;
    // The person has opened the link; only the code completes the claim.
    expect((await poll(held)).body.error).toBe('authorization_pending');
    await keyless('identity/claim/complete', { claim_token: held, user_code: code });
    const { status, body } = await poll(held);
    expect([status, body.scope]).toEqual([200, 'posts:write']);
    expect((await exchange(body.identity_assertion)).status).toBe(200);
    await call('POST', `/x/agents/registrations/${id}/revoke`);
    expect((await poll(held)).body.error).toBe('access_denied');
    const late = (await register()).body.claim?.token ?? '';
    await advance(86_401);
    expect((await poll(late)).body.error).toBe('expired_token');
    expect((await token({ grant_type: 'urn:example:agent-auth:grant-type:other' })).body.error).toBe(
      'unsupported_grant_type',
    );
  });

  test('is listed in its metadata and in the guide for agents, with the enabled kinds of registration', async () => {
    const { clientId } = await service();
    const path = `/user_management/${clientId}/.well-known/openid-configuration`;
    interface Metadata {
      token_endpoint: string;
      grant_types_supported: string[];
      agent_auth?: { skill: string; identity_endpoint: string; identity_types_supported: string[] };
    }
    const read = async () => (await call<Metadata>('GET', path, undefined, { apiKey: null })).body;
    const found = await read();
    expect(found.grant_types_supported).toEqual(expect.arrayContaining([JWT_BEARER]));
    expect(found.agent_auth?.identity_types_supported).toEqual(['anonymous', 'service_auth', 'identity_assertion']);
    const guide = await fetch(found.agent_auth?.skill ?? '');
    const text = await guide.text();
    expect(guide.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
    for (const part of [
      found.agent_auth?.identity_endpoint ?? '',
      found.token_endpoint,
      '### service_auth',
      'identity_assertion',
    ])
      expect(text).toContain(part);
    // An agent that only reads the guide registers.
    const [, address = ''] = /Send this to `(\S+)`:\n\n```json\n\{ "type": "anonymous" \}/.exec(text) ?? [];
    const sent = await fetch(address, {
      method: 'POST',
      body: '{"type":"anonymous"}',
      headers: { 'content-type': 'application/json' },
    });
    expect(sent.status).toBe(200);
    await call('PUT', '/x/agents/settings', {});
    await advance(10);
    expect((await read()).agent_auth).toBeUndefined();
    expect(await (await fetch(found.agent_auth?.skill ?? '')).text()).toContain('accepts no registrations');
  });
});

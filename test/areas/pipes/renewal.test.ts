import { setTimeout as delay } from 'node:timers/promises';

import { beforeEach, describe, expect, test } from '@jest/globals';

import { environmentIdOf } from '../../../functions/kernel/authentication/api-key.ts';
import { readUlid } from '../../../functions/kernel/id-format.ts';
import { withLease } from '../../../functions/kernel/limits/lease.ts';
import { LEASE_SECONDS, WAIT_MS } from '../../../functions/connections/pipes/credentials/renewal.ts';
import { TOKEN_TIMEOUT_MS } from '../../../functions/connections/pipes/oauth/token-endpoint.ts';
import { addFault, advance, call, eventually, reset, service } from '../../support/service.ts';
import { addUser } from '../../support/users.ts';
import { account, connect, integrate, SLUG, vend } from './connection.ts';
import { type ThirdParty, thirdParty } from './third-party.ts';

let party: ThirdParty;
let user: string;

const LIFETIME = 600;

beforeEach(async () => {
  await reset();
  party = await thirdParty({ lifetime: LIFETIME });
  party.open([await integrate(party)]);
  user = await addUser();
});

/** The attempts to get a lease, of all functions. */
async function leaseAttempts(): Promise<number> {
  const { body } = await call<{ data: Record<string, { calls: Record<string, number> }> }>('GET', '/_local/counters');
  return body.data['pipes-http']?.calls['table.UpdateItem'] ?? 0;
}
const fifty = () => Promise.all(Array.from({ length: 50 }, () => vend(user)));
const wordsOf = ({ status, body }: Awaited<ReturnType<typeof vend>>): string =>
  `${status} ${(body.credential?.value as string | undefined) ?? body.error ?? body.code ?? ''}`;
const values = (responses: Awaited<ReturnType<typeof fifty>>) => [...new Set(responses.map(wordsOf))];

describe('fifty parallel requests for an expired token', () => {
  test('cause one refresh and get one token', async () => {
    await connect(user);
    await advance(LIFETIME + 1);
    party.delayBy(300);
    const responses = await fifty();
    expect(values(responses)).toEqual([expect.stringMatching(/^200 .{20,}/)]);
    expect(party.of('refresh_token')).toHaveLength(1);
  });

  test('cause one request to an unavailable provider, and all get Retry-After', async () => {
    await connect(user);
    await advance(LIFETIME + 1);
    const down = await thirdParty();
    down.failWith(503);
    const release = down.pauseResponses();
    await call('PUT', `/data-integrations/${SLUG}`, { custom_provider: { token_url: down.tokenUrl } });
    await call('DELETE', '/_local/counters');
    const responses = fifty();
    // All fifty requests wait: each has tried some six times to get the lease.
    await eventually(leaseAttempts, (count) => count >= 300);
    release();
    expect(values(await responses)).toEqual(['503 provider_unavailable']);
    expect(down.calls()).toBe(1);
    expect((await account(user)).body.state).toBe('connected');
  });

  test('do not wait for a refresh while the token still works', async () => {
    await connect(user);
    const before = (await vend(user)).body.credential?.value;
    await advance(LIFETIME - 60);
    const release = party.pauseResponses();
    const renewing = vend(user);
    await eventually(
      () => party.of('refresh_token').length,
      (count) => count === 1,
    );
    expect((await vend(user)).body.credential?.value).toBe(before);
    release();
    expect((await renewing).body.credential?.value).not.toBe(before);
    expect(party.of('refresh_token')).toHaveLength(1);
  });
});

describe('a token refresh', () => {
  test('has a lease that is longer than its time limit, and callers wait longer than the lease', () => {
    expect(LEASE_SECONDS * 1_000).toBeGreaterThan(TOKEN_TIMEOUT_MS + 2_000);
    expect(WAIT_MS).toBeGreaterThan(LEASE_SECONDS * 1_000);
    expect(WAIT_MS + TOKEN_TIMEOUT_MS).toBeLessThan(29_000);
  });

  test('that crashed delays the next one for at most the time of its lease', async () => {
    // The clocks of this process and of the service are the same here, since neither was advanced.
    const brief = await thirdParty({ lifetime: 1 });
    await call('DELETE', `/data-integrations/${SLUG}`);
    brief.open([await integrate(brief)]);
    await connect(user);
    const { body } = await account(user);
    await delay(1_100);
    const { clientId } = await service();
    const environmentId = environmentIdOf(readUlid(clientId));
    const crashed = new Promise<void>(() => undefined);
    const leasedAt = performance.now();
    void withLease(environmentId, `pipes.renewal#${body.id}`, { seconds: 2 }, () => crashed);
    await delay(100);
    const startedAt = performance.now();
    expect((await vend(user)).body.active).toBe(true);
    expect(performance.now() - leasedAt).toBeGreaterThan(1_900);
    expect(performance.now() - startedAt).toBeLessThan(WAIT_MS);
    expect(brief.of('refresh_token')).toHaveLength(1);
  });

  test('tries again to store its tokens', async () => {
    await connect(user);
    await advance(LIFETIME + 1);
    party.delayBy(300);
    const renewing = vend(user);
    await delay(150);
    await addFault({ target: 'table', kind: 'unavailable', operations: ['PutItem', 'TransactWriteItems'], count: 6 });
    const renewed = await renewing;
    expect(renewed.body.active).toBe(true);
    await advance(LIFETIME + 1);
    party.delayBy(0);
    expect((await vend(user)).body.active).toBe(true);
    expect(party.of('refresh_token')).toHaveLength(2);
  });

  test('does not overwrite tokens that were stored in the meantime', async () => {
    await connect(user);
    await advance(LIFETIME + 1);
    party.delayBy(600);
    const renewing = vend(user);
    await delay(200);
    const path = `/user_management/users/${user}/connected_accounts/${SLUG}`;
    expect((await call('PUT', path, { access_token: 'given-meanwhile' })).status).toBe(200);
    expect((await renewing).body.credential?.value).toBe('given-meanwhile');
    expect((await vend(user)).body.credential?.value).toBe('given-meanwhile');
  });

  test('without a refresh token requires a new authorization', async () => {
    const path = `/user_management/users/${user}/connected_accounts/${SLUG}`;
    const expires_at = new Date(Date.now() + 300_000).toISOString();
    expect((await call('POST', path, { access_token: 'imported', expires_at })).status).toBe(201);
    expect((await vend(user)).body.credential?.value).toBe('imported');
    await advance(301);
    expect((await vend(user)).body).toEqual({ active: false, error: 'needs_reauthorization' });
    expect((await account(user)).body.state).toBe('needs_reauthorization');
  });

  test('with a rejected client is reported, and does not mark the connection as broken', async () => {
    await connect(user);
    await advance(LIFETIME + 1);
    const credentials = { type: 'custom', client_secret: 'not-the-secret' };
    expect((await call('PUT', `/data-integrations/${SLUG}`, { credentials })).status).toBe(200);
    const response = await vend(user);
    expect([response.status, response.body.code]).toEqual([400, 'provider_refused']);
    expect((await account(user)).body.state).toBe('connected');
  });
});

describe('the OAuth client authenticates', () => {
  test.each([
    ['in the body', 'request_body', 'client_secret_post'],
    ['in the Authorization header', 'basic_auth_header', 'client_secret_basic'],
  ] as const)('%s', async (_title, authenticate_via, method) => {
    await call('DELETE', `/data-integrations/${SLUG}`);
    const own = await thirdParty();
    own.open([await integrate(own, { authenticate_via })], { authenticateVia: method });
    await connect(user);
    await advance(3_601);
    expect((await vend(user)).body.active).toBe(true);
    const seen = own.requests.map(({ authorization, body }) => [
      authorization?.startsWith('Basic ') ?? false,
      body.client_secret !== undefined,
    ]);
    expect(seen).toEqual(
      Array.from({ length: 2 }, () => [method === 'client_secret_basic', method === 'client_secret_post']),
    );
  });

  test('with only its client id and the PKCE verifier if it has no client secret', async () => {
    await call('DELETE', `/data-integrations/${SLUG}`);
    const own = await thirdParty();
    const credentials = { type: 'custom', client_id: 'gatehouse-at-third-party' };
    own.open([await integrate(own, { client_secret_required: false }, { credentials })], { authenticateVia: 'none' });
    await connect(user);
    expect((await vend(user)).body.active).toBe(true);
    expect(own.requests[0]?.body).toMatchObject({
      code_verifier: expect.any(String),
      client_id: credentials.client_id,
    });
  });
});

describe('client credentials', () => {
  const install = (client_secret: string) =>
    call('PUT', `/data-integrations/${SLUG}/client-credentials`, {
      user_id: user,
      client_id: 'gatehouse-at-third-party',
      client_secret,
    });
  beforeEach(async () => {
    await call('DELETE', `/data-integrations/${SLUG}`);
    await integrate(party, {}, { auth_methods: ['client_credentials'], credentials: undefined, scopes: ['read'] });
    party.open(['https://unused.example/callback']);
  });

  test('are exchanged when a token is requested, and again when it is about to expire', async () => {
    const installed = await install('third-party-secret-0123456789');
    expect(installed.body).toMatchObject({
      auth_method: 'client_credentials',
      client_id: 'gatehouse-at-third-party',
      client_secret_last_4: '6789',
      config: {},
      state: 'connected',
    });
    expect(party.requests).toHaveLength(0);
    const [first, second] = [await vend(user), await vend(user)];
    expect(first.body).toMatchObject({ active: true, credential: { auth_method: 'client_credentials', metadata: {} } });
    expect(second.body).toEqual(first.body);
    expect(party.of('client_credentials')).toHaveLength(1);
    await advance(LIFETIME);
    expect((await vend(user)).body.credential?.value).not.toBe(first.body.credential?.value);
    expect(party.of('client_credentials')).toHaveLength(2);
  });

  test('that the provider rejects must be replaced', async () => {
    await install('wrong-secret');
    expect((await vend(user)).body).toEqual({ active: false, error: 'needs_reauthorization' });
    await install('third-party-secret-0123456789');
    expect((await account(user)).body.state).toBe('connected');
    expect((await vend(user)).body.active).toBe(true);
  });
});

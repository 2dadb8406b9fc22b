import { createHash, randomBytes } from 'node:crypto';

import { beforeEach, describe, expect, test } from '@jest/globals';

import { agree, browser } from '../../support/browser.ts';
import { receiver } from '../../support/receiver.ts';
import { advance, call, idle, reset } from '../../support/service.ts';
import { addUser } from '../../support/users.ts';
import { otherEnvironment } from '../authentication/inside.ts';
import { account, EVENTS, integrate, SLUG, vend } from './connection.ts';
import { type ThirdParty, thirdParty } from './third-party.ts';

const RETURN_TO = 'https://app.example.com/connected';

let party: ThirdParty;
let user: string;

beforeEach(async () => {
  await reset();
  party = await thirdParty();
  party.open([await integrate(party)]);
  user = await addUser('grace@example.com');
  await call('POST', '/user_management/redirect_uris', { uri: RETURN_TO });
});

const computeChallenge = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url');

interface Authorization {
  url: string;
  state: string;
  completion?: string;
}

const start = (members: Record<string, unknown>) =>
  call<Authorization>('POST', `/data-integrations/${SLUG}/authorize`, { user_id: user, ...members });

/** Starts a connection with a challenge and lets its user consent. */
async function agreed(members: Record<string, unknown> = {}) {
  const verifier = randomBytes(32).toString('base64url');
  const challenge = { code_challenge: computeChallenge(verifier), code_challenge_method: 'S256', return_to: RETURN_TO };
  const { status, body } = await start({ ...challenge, ...members });
  expect([status, body]).toEqual([
    200,
    { url: expect.any(String), state: expect.any(String), completion: 'finish_required' },
  ]);
  const person = browser();
  const { url } = await agree(person, await person.open(body.url));
  const { connect_code = '', state, ...others } = Object.fromEntries(new URL(url).searchParams);
  expect([url.startsWith(RETURN_TO), state, others]).toEqual([true, body.state, {}]);
  return { connect_code, code_verifier: verifier, state: body.state };
}

interface Finished {
  connected_account: { id: string; state: string };
  code: string;
  message: string;
}

const finish = (members: object, options = {}) => call<Finished>('POST', '/data-integrations/finish', members, options);

const rejected = { status: 400, body: { code: 'invalid_connect_code', message: expect.any(String) } };

describe('a connection that was started with a PKCE challenge', () => {
  test('is stored only when the application finishes it with the verifier', async () => {
    const hooks = await receiver();
    await call('POST', '/webhook_endpoints', { endpoint_url: hooks.url, events: EVENTS });
    const held = await agreed();
    expect((await account(user)).status).toBe(404);
    expect((await vend(user)).body).toEqual({ active: false, error: 'not_installed' });
    const { status, body } = await finish(held);
    expect([status, body]).toEqual([200, { connected_account: (await account(user)).body }]);
    expect(body.connected_account).toMatchObject({ object: 'connected_account', state: 'connected', user_id: user });
    expect((await vend(user)).body.active).toBe(true);
    await idle();
    const events = hooks.requests.map((request) => (JSON.parse(request.body) as { event: string }).event);
    expect(events.sort()).toEqual(['pipes.account_connection.connected', 'pipes.connected_account.connected']);
    expect(JSON.stringify(hooks.requests)).not.toContain(held.connect_code);
  });

  test('can be finished without a state, also when an existing connection is authorized again', async () => {
    const { state: _state, ...held } = await agreed();
    const { body } = await finish(held);
    const { id } = body.connected_account;
    const again = await agreed({ connection_intent: 'reauthorize', connected_account_id: id });
    expect((await finish(again)).body.connected_account.id).toBe(id);
  });

  test('is finished once by repeated requests with the same idempotency key', async () => {
    const held = await agreed();
    const key = { headers: { 'idempotency-key': 'finish-1' } };
    const first = await finish(held, key);
    expect([first.status, (await finish(held, key)).body]).toEqual([200, first.body]);
    expect(await finish(held)).toMatchObject(rejected);
  });

  test('is finished by one of several parallel requests', async () => {
    const held = await agreed();
    const responses = await Promise.all(Array.from({ length: 5 }, () => finish(held)));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400]);
    for (const response of responses) if (response.status !== 200) expect(response).toMatchObject(rejected);
  });

  test.each<[string, (held: Record<string, string>) => object]>([
    ['a wrong verifier', (held) => ({ ...held, code_verifier: 'x'.repeat(43) })],
    [
      'the challenge as the verifier',
      (held) => ({ ...held, code_verifier: computeChallenge(held.code_verifier ?? '') }),
    ],
    ['the state of another authorization', (held) => ({ ...held, state: '0'.repeat(64) })],
  ])('fails with %s, and the code cannot be used again', async (_what, change) => {
    const held = await agreed();
    expect(await finish(change(held))).toMatchObject(rejected);
    expect(await finish(held)).toMatchObject(rejected);
    expect((await account(user)).status).toBe(404);
  });

  test.each<[string, (held: Record<string, string>) => object]>([
    ['without a verifier', ({ code_verifier: _verifier, ...held }) => held],
    ['with a verifier that is none', (held) => ({ ...held, code_verifier: 'short' })],
    ['without a code', ({ connect_code: _code, ...held }) => held],
  ])('is not finished %s, and the code can still be used', async (_what, change) => {
    const held = await agreed();
    const { status, body } = await finish(change(held));
    expect([status, body.code]).toEqual([400, 'invalid_request_parameters']);
    expect((await finish(held)).status).toBe(200);
  });

  test.each([
    ['an unknown code', { connect_code: `connect_code_01JX0000000000000000000000${'a'.repeat(49)}` }],
    ['the state as the code', { connect_code: 'a'.repeat(64) }],
  ])('is not finished with %s', async (_what, members) => {
    expect(await finish({ ...(await agreed()), ...members })).toMatchObject(rejected);
  });

  test('is not finished after 90 seconds', async () => {
    const held = await agreed();
    await advance(91);
    expect(await finish(held)).toMatchObject(rejected);
  });

  test('is not finished by another environment', async () => {
    const held = await agreed();
    const foreign = await finish(held, { apiKey: (await otherEnvironment()).apiKey });
    expect(foreign).toMatchObject(rejected);
    expect((await finish(held)).status).toBe(200);
  });

  test('is not finished after its integration, account or user was deleted, or if the owner has too many connections', async () => {
    const add = { access_token: 'a-token', connection_intent: 'add' };
    const accounts = `/user_management/users/${user}/connected_accounts/${SLUG}`;
    const { body: first } = await call<{ id: string }>('POST', accounts, add);
    const reauthorized = await agreed({ connection_intent: 'reauthorize', connected_account_id: first.id });
    expect((await call('DELETE', `${accounts}?connected_account_id=${first.id}`)).status).toBe(204);
    expect((await finish(reauthorized)).body.code).toBe('target_deleted');
    expect(await finish(reauthorized)).toMatchObject(rejected);

    const further = await agreed({ connection_intent: 'add' });
    for (let count = 0; count < 50; count += 1) expect((await call('POST', accounts, add)).status).toBe(201);
    expect((await finish(further)).body.code).toBe('connected_account_limit_reached');

    const lost = await agreed();
    await call('DELETE', `/user_management/users/${user}`);
    expect(await finish(lost)).toMatchObject(rejected);
    user = await addUser('ada@example.com');

    const last = await agreed();
    expect((await call('DELETE', `/data-integrations/${SLUG}`)).status).toBe(204);
    expect((await finish(last)).body.code).toBe('invalid_data_integration');
  });
});

describe('starting a connection with a PKCE challenge', () => {
  const code_challenge = computeChallenge('v'.repeat(43));

  test.each([
    ['a plain challenge', { code_challenge, code_challenge_method: 'plain', return_to: RETURN_TO }],
    ['a challenge that is no SHA-256', { code_challenge: 'v'.repeat(42), return_to: RETURN_TO }],
    ['a method without a challenge', { code_challenge_method: 'S256', return_to: RETURN_TO }],
    ['no address to return to', { code_challenge }],
    ['an address that is not registered', { code_challenge, return_to: 'https://app.example.com/other' }],
    ['an address that only a wildcard admits', { code_challenge, return_to: 'https://pr-1.preview.example.com/' }],
  ])('is rejected for %s', async (_what, members) => {
    await call('POST', '/user_management/redirect_uris', { uri: 'https://*.preview.example.com/' });
    expect((await start(members)).status).toBe(400);
  });

  test('uses S256 if the request names no method, and needs no finishing request if there is no challenge', async () => {
    expect((await start({ code_challenge, return_to: RETURN_TO })).body.completion).toBe('finish_required');
    const { body } = await start({ return_to: RETURN_TO });
    expect(body).toEqual({ url: expect.any(String), state: expect.any(String) });
    expect((await start({ return_to: RETURN_TO })).body.state).not.toBe(body.state);
  });
});

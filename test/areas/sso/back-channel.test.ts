import { beforeEach, expect, test } from '@jest/globals';
import type { JWTPayload } from 'jose';
import { generateKeyPair } from 'jose';

import { advance, call, idle, reset, service } from '../../support/service.ts';
import { connect, enter, type Forging, forgingProvider } from './forging-openid.ts';
import { redeem, registerApplication, startUrl } from './identity-provider.ts';
import { type Connection, eventsNamed } from './support.ts';

let provider: Forging;
let connection: Connection;
let key: string;

beforeEach(async () => {
  await reset({ calm: true });
  await registerApplication();
  provider = await forgingProvider();
  ({ connection } = await connect(provider.options));
  const presented = await call<{ external_key: string }>('GET', `/x/connections/${connection.id}`);
  key = presented.body.external_key;
});

interface Granted {
  user: { id: string };
  refresh_token: string;
}

/** Signs a user in through the connection. */
async function signIn(claims: JWTPayload = {}): Promise<Granted> {
  provider.respond((nonce) => provider.issue({ nonce, email_verified: true, ...claims }));
  const start = startUrl('/user_management/authorize', { connection_id: connection.id });
  const response = (await enter(connection, () => ({}), start)) as { code?: string };
  const granted = await redeem<Granted>(response.code);
  expect(granted.status).toBe(200);
  return granted.body;
}

async function isAlive({ refresh_token }: Granted): Promise<boolean> {
  const { clientId, apiKey } = await service();
  const body = { client_id: clientId, client_secret: apiKey, grant_type: 'refresh_token', refresh_token };
  return (await call('POST', '/user_management/authenticate', body, { apiKey: null })).status === 200;
}

const EVENTS = { 'http://schemas.openid.net/event/backchannel-logout': {} };
let count = 0;

const logoutToken = (claims: Record<string, unknown>, signedWith?: unknown): Promise<string> =>
  provider.issue({ events: EVENTS, jti: `logout ${(count += 1)}`, ...claims }, {}, signedWith);

const send = async (token: string, externalKey = key): Promise<[number, string | undefined]> => {
  const { status, body } = await call<{ error?: string } | undefined>(
    'POST',
    `/sso/oidc/logout/${externalKey}`,
    undefined,
    {
      apiKey: null,
      rawBody: new URLSearchParams({ logout_token: token }).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    },
  );
  return [status, body?.error];
};

test('a logout token with the account revokes the sessions of its user through this connection', async () => {
  const session = await signIn();
  const other = await signIn({ sub: 'bob', email: 'bob@example.com' });
  expect(await send(await logoutToken({ sub: 'ada' }))).toEqual([200, undefined]);
  expect([await isAlive(session), await isAlive(other)]).toEqual([false, true]);
  await idle();
  expect(await eventsNamed('session.revoked')).toHaveLength(1);
});

test('a logout token with only the session id of the provider revokes the sessions of its user', async () => {
  const session = await signIn({ sid: 'session 😀 1' });
  expect(await send(await logoutToken({ sub: undefined, sid: 'another' }))).toEqual([200, undefined]);
  const token = await logoutToken({ sub: undefined, sid: 'session 😀 1' });
  expect(await send(token)).toEqual([200, undefined]);
  expect(await isAlive(session)).toBe(false);
});

test('a logout token is rejected if it is used, old, forged, for another connection, or another kind of token', async () => {
  const session = await signIn();
  const rejected = [400, 'invalid_request'];
  const { privateKey } = await generateKeyPair('RS256');
  const used = await logoutToken({ sub: 'nobody-we-know' });
  expect(await send(used)).toEqual([200, undefined]);
  const tokens = [
    used,
    await logoutToken({ sub: 'ada', events: {} }),
    await logoutToken({ sub: 'ada', nonce: 'of an ID token' }),
    await logoutToken({ sub: 'ada', aud: 'another client' }),
    await logoutToken({ sub: 'ada', iss: 'https://another.example' }),
    await logoutToken({ sub: 'ada', jti: undefined }),
    await logoutToken({ sub: undefined, sid: undefined }),
    await logoutToken({ sub: 'ada' }, privateKey),
    'no token 😀￿',
    '',
  ];
  for (const token of tokens) expect(await send(token)).toEqual(rejected);
  const foreign = await forgingProvider();
  const { connection: theirs } = await connectOther(foreign);
  const presented = await call<{ external_key: string }>('GET', `/x/connections/${theirs.id}`);
  expect(await send(await logoutToken({ sub: 'ada' }), presented.body.external_key)).toEqual(rejected);
  expect((await send(await logoutToken({ sub: 'ada' }), 'unknown-key'))[0]).toBe(404);
  const late = await logoutToken({ sub: 'ada' });
  await advance(900);
  expect(await send(late)).toEqual(rejected);
  expect(await isAlive(session)).toBe(true);
});

/** A connection of another organization and provider. */
async function connectOther({ options }: Forging): Promise<{ connection: Connection }> {
  const organization = await call<{ id: string }>('POST', '/organizations', { name: 'Other' });
  const body = { organization_id: organization.body.id, oidc_options: options };
  return { connection: (await call<Connection>('POST', '/connections', body)).body };
}

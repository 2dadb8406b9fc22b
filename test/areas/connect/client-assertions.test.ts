import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose';

import { advance, call, reset, service } from '../../support/service.ts';
import {
  application,
  authorize,
  CALLBACK,
  endpoint,
  exchange,
  make,
  newVerifier,
  post,
  type Query,
  type Tokens,
  user,
} from './person.ts';

const EMAIL = 'ada@example.com';
const TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

type Pair = Awaited<ReturnType<typeof generateKeyPair>>;

const newPair = async (alg = 'RS256'): Promise<Pair> => generateKeyPair(alg, { extractable: true });
const publicJwk = async ({ publicKey }: Pair, more: Record<string, unknown> = {}) => ({
  ...(await exportJWK(publicKey)),
  ...more,
});

/** An m2m application. */
async function machine() {
  const organizationId = (await make('/organizations', { name: 'Acme' })).id;
  const body = { name: 'Sync', application_type: 'm2m', organization_id: organizationId };
  const { id, client_id: clientId } = await make<{ id: string; client_id: string }>('/connect/applications', body);
  return { id, clientId };
}

const setKeys = async (id: string, body: unknown) =>
  call<{ jwks: { keys: unknown[] } | null; jwks_uri: string | null; message?: string }>(
    'PUT',
    `/x/connect/applications/${id}/keys`,
    body,
  );

const issuer = async () => {
  const { url, clientId } = await service();
  return `${url}/user_management/${clientId}`;
};

interface Shape {
  alg?: string;
  header?: Record<string, unknown>;
  claims?: Record<string, unknown>;
}

let serial = 0;

async function sign(clientId: string, { privateKey }: Pair, { alg = 'RS256', header, claims }: Shape = {}) {
  serial += 1;
  const at = Math.floor(Date.now() / 1_000);
  const payload = {
    iss: clientId,
    sub: clientId,
    aud: await issuer(),
    jti: `assertion-${serial}-${Math.random()}`,
    iat: at,
    exp: at + 60,
    ...claims,
  };
  return new SignJWT(payload).setProtectedHeader({ alg, ...header }).sign(privateKey);
}

const grant = (assertion: string, more: Query = {}) =>
  post<Tokens>('token', {
    grant_type: 'client_credentials',
    client_assertion_type: TYPE,
    client_assertion: assertion,
    ...more,
  });

const closers: (() => void)[] = [];
afterAll(() => closers.forEach((close) => close()));

beforeEach(() => reset({ calm: true }));

describe('an application that authenticates with an assertion', () => {
  test.each(['RS256', 'PS256', 'ES256', 'ES384', 'EdDSA'])('is accepted with a key for %s', async (alg) => {
    const { id, clientId } = await machine();
    const pair = await newPair(alg);
    expect((await setKeys(id, { jwks: { keys: [await publicJwk(pair, { kid: 'k', alg })] } })).status).toBe(200);
    const response = await grant(await sign(clientId, pair, { alg, header: { kid: 'k' } }));
    expect([response.status, response.body.token_type]).toEqual([200, 'Bearer']);
    const held = await sign(clientId, pair, { alg, header: { kid: 'k' } });
    const form = { token: response.body.access_token, client_assertion_type: TYPE, client_assertion: held };
    expect((await post<{ active: boolean }>('introspection', form)).body.active).toBe(true);
  });

  test('is rejected for an assertion that was used, is outside of its validity, or has another audience, key or algorithm', async () => {
    const { id, clientId } = await machine();
    const other = await machine();
    const [pair, foreign] = [await newPair(), await newPair()];
    const jwk = await publicJwk(pair, { kid: 'k', alg: 'RS256' });
    await setKeys(id, { jwks: { keys: [jwk] } });
    await setKeys(other.id, { jwks: { keys: [await publicJwk(foreign)] } });
    const at = Math.floor(Date.now() / 1_000);
    const once = await sign(clientId, pair, { claims: { jti: 'once' } });
    expect((await grant(once)).status).toBe(200);
    const secretOfKey = new TextEncoder().encode(JSON.stringify(jwk));
    const claims = { iss: clientId, sub: clientId, aud: await issuer(), jti: 'x', exp: at + 60 };
    const cases: Record<string, string> = {
      'used again': once,
      'another assertion with the same jti': await sign(clientId, pair, { claims: { jti: 'once', iat: at - 1 } }),
      'of a foreign key': await sign(clientId, foreign),
      'of another application': await sign(other.clientId, pair),
      'about another application': await sign(clientId, pair, { claims: { sub: other.clientId } }),
      'issued by another application': await sign(clientId, pair, { claims: { iss: other.clientId } }),
      'for another audience': await sign(clientId, pair, { claims: { aud: 'https://other.example.org' } }),
      'for two audiences': await sign(clientId, pair, {
        claims: { aud: [await issuer(), 'https://other.example.org'] },
      }),
      'without an audience': await sign(clientId, pair, { claims: { aud: undefined } }),
      'that has ended': await sign(clientId, pair, { claims: { exp: at - 60 } }),
      'that is valid for an hour': await sign(clientId, pair, { claims: { exp: at + 3_600 } }),
      'that never ends': await sign(clientId, pair, { claims: { exp: undefined } }),
      'that is not valid yet': await sign(clientId, pair, { claims: { nbf: at + 600 } }),
      'without a jti': await sign(clientId, pair, { claims: { jti: undefined } }),
      'of another algorithm of the same key': await sign(clientId, await sameKey(pair, 'PS256'), {
        alg: 'PS256',
        header: { kid: 'k' },
      }),
      'without a signature': new UnsecuredJWT(claims).encode(),
      'signed with the public key as a secret': await new SignJWT(claims)
        .setProtectedHeader({ alg: 'HS256' })
        .sign(secretOfKey),
      'that is no JWT': 'a.b.c',
    };
    const accepted: string[] = [];
    for (const [title, assertion] of Object.entries(cases)) {
      const { status, body } = await grant(assertion);
      if (status !== 401 || body.error !== 'invalid_client') accepted.push(`${title}: ${status}`);
    }
    expect(accepted).toEqual([]);
    const contradictions: Query[] = [
      { client_assertion_type: undefined },
      { client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:saml2-bearer' },
      { client_id: other.clientId },
      { client_secret: 'x' },
    ];
    for (const more of contradictions) expect((await grant(await sign(clientId, pair), more)).status).toBe(401);
    const { status } = await grant(await sign(clientId, pair), { client_id: clientId });
    expect(status).toBe(200);
  });

  test('is accepted once among fifty parallel uses of one assertion', async () => {
    const { id, clientId } = await machine();
    const pair = await newPair();
    await setKeys(id, { jwks: { keys: [await publicJwk(pair)] } });
    const assertion = await sign(clientId, pair);
    const statuses = await Promise.all(Array.from({ length: 50 }, async () => (await grant(assertion)).status));
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 401)).toHaveLength(49);
  });

  test('must authenticate to redeem a code while it has keys, and need not after their removal', async () => {
    await user(EMAIL);
    const app = await application();
    const pair = await newPair();
    await setKeys(app.id, { jwks: { keys: [await publicJwk(pair)] } });
    const verifier = newVerifier();
    const { code } = await authorize(app, { email: EMAIL, verifier });
    expect((await exchange(app, code, verifier)).status).toBe(401);
    const assertion = { client_assertion_type: TYPE, client_assertion: await sign(app.clientId, pair) };
    expect((await exchange(app, code, verifier, assertion)).status).toBe(200);
    expect((await setKeys(app.id, {})).body).toEqual({ jwks: null, jwks_uri: null });
    const again = await authorize(app, { email: EMAIL, verifier });
    expect((await exchange(app, again.code, verifier)).status).toBe(200);
  });

  test('may have its keys at a URL, which is fetched again when an assertion has a new key', async () => {
    const { id, clientId } = await machine();
    const [first, second] = [await newPair(), await newPair('ES256')];
    let keys: unknown[] = [await publicJwk(first, { kid: '1' })];
    let asked = 0;
    const server = createServer((_request, response) => {
      asked += 1;
      response.writeHead(200, { 'content-type': 'application/jwk-set+json' });
      response.end(JSON.stringify({ keys }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closers.push(() => server.close());
    const uri = `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks.json`;
    expect((await setKeys(id, { jwks_uri: uri })).body).toEqual({ jwks: null, jwks_uri: uri });
    expect((await call('GET', `/x/connect/applications/${id}/keys`)).body).toEqual({ jwks: null, jwks_uri: uri });
    const withFirst = async () => grant(await sign(clientId, first, { header: { kid: '1' } }));
    expect([(await withFirst()).status, (await withFirst()).status, asked]).toEqual([200, 200, 1]);
    keys = [await publicJwk(second, { kid: '2' })];
    const withSecond = async (at: number) => {
      const claims = { exp: at + 60, iat: at };
      return (await grant(await sign(clientId, second, { alg: 'ES256', header: { kid: '2' }, claims }))).status;
    };
    expect([await withSecond(Math.floor(Date.now() / 1_000)), asked]).toEqual([401, 1]);
    await advance(31);
    expect([await withSecond(Math.floor(Date.now() / 1_000) + 31), asked]).toEqual([200, 2]);
  });

  test('accepts only public keys of the types that its assertions may use', async () => {
    const { id } = await machine();
    const pair = await newPair();
    const good = await publicJwk(pair);
    const wrong: unknown[] = [
      { jwks: { keys: [] } },
      { jwks: { keys: Array.from({ length: 11 }, () => good) } },
      { jwks: { keys: [await exportJWK(pair.privateKey)] } },
      { jwks: { keys: [{ kty: 'oct', k: 'c2VjcmV0' }] } },
      { jwks: { keys: [{ kty: 'RSA', n: 'AQAB', e: 'AQAB' }] } },
      { jwks: { keys: [{ kty: 'EC', crv: 'P-521', x: 'AA', y: 'AA' }] } },
      { jwks: { keys: [{}] } },
      { jwks: { keys: [good] }, jwks_uri: 'https://keys.example.org/jwks' },
      { jwks_uri: 'http://keys.example.org/jwks' },
      { jwks_uri: 'https://user:secret@keys.example.org/jwks' },
    ];
    for (const body of wrong) expect([body, (await setKeys(id, body)).status]).toEqual([body, 422]);
    expect((await setKeys('conn_app_00000000000000000000000000', { jwks: { keys: [good] } })).status).toBe(404);
  });

  test('may register itself dynamically with its keys', async () => {
    await user(EMAIL);
    const pair = await newPair('EdDSA');
    const metadata = {
      redirect_uris: [CALLBACK],
      token_endpoint_auth_method: 'private_key_jwt',
      jwks: { keys: [await publicJwk(pair)] },
    };
    const path = new URL(await endpoint('register')).pathname;
    const { status, body } = await call<{ client_id: string; client_secret?: string }>('POST', path, metadata, {
      apiKey: null,
    });
    expect([status, body.client_secret]).toEqual([201, undefined]);
    const app = { id: body.client_id, clientId: body.client_id };
    const verifier = newVerifier();
    const { code } = await authorize(app, { email: EMAIL, verifier });
    expect((await exchange(app, code, verifier)).status).toBe(401);
    const signed = await sign(app.clientId, pair, { alg: 'EdDSA', claims: { aud: await endpoint('token') } });
    const assertion = { client_assertion_type: TYPE, client_assertion: signed };
    expect((await exchange(app, code, verifier, assertion)).status).toBe(200);
    const bare = { redirect_uris: [CALLBACK], token_endpoint_auth_method: 'private_key_jwt' };
    expect((await call('POST', path, bare, { apiKey: null })).status).toBe(400);
  });
});

/** The same key declared for another algorithm. */
async function sameKey({ privateKey, publicKey }: Pair, alg: string): Promise<Pair> {
  const { importJWK } = await import('jose');
  const imported = await importJWK({ ...(await exportJWK(privateKey)), alg }, alg);
  return { privateKey: imported as CryptoKey, publicKey };
}

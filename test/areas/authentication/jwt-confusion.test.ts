import {
  createHmac,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomUUID,
  sign,
  X509Certificate,
} from 'node:crypto';

import { beforeEach, describe, expect, test } from '@jest/globals';
import { JwtVerifier } from 'aws-jwt-verify';
import { calculateJwkThumbprint, createRemoteJWKSet, type JWK, jwtVerify } from 'jose';

import { makeClientId, newEnvironment, newEnvironmentKey } from '../../../functions/kernel/authentication/api-key.ts';
import { systemActor } from '../../../functions/kernel/authentication/caller.ts';
import { applyWork } from '../../../functions/kernel/storage/background.ts';
import { call, reset, sdk, service } from '../../support/service.ts';
import { authenticate, authenticatePublicly, environment, makeUser, PASSWORD, vendor } from './inside.ts';

interface Tokens {
  access_token: string;
  refresh_token: string;
}
type Part = Record<string, unknown>;

let genuine: string;
let refreshToken: string;
let clientId: string;

beforeEach(async () => {
  await reset();
  clientId = (await service()).clientId;
  await makeUser();
  const signedIn = await authenticate<Tokens>({ grant_type: 'password', email: 'ada@example.com', password: PASSWORD });
  expect(signedIn.status).toBe(200);
  ({ access_token: genuine, refresh_token: refreshToken } = signedIn.body);
});

const encoded = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');
const decoded = (part = ''): Part => JSON.parse(Buffer.from(part, 'base64url').toString()) as Part;
const makeHeader = (token: string): Part => decoded(token.split('.')[0]);
const readClaims = (token: string): Part => decoded(token.split('.')[1]);

function signed(header: object, claims: object, key: KeyObject): string {
  const content = `${encoded(header)}.${encoded(claims)}`;
  return `${content}.${sign('sha256', Buffer.from(content), key).toString('base64url')}`;
}

const readKeys = async (client: string): Promise<JWK[]> =>
  (await call<{ keys: JWK[] }>('GET', `/sso/jwks/${client}`, undefined, { apiKey: null })).body.keys;

/** Verifies a token like the official SDK: by the published keys and the expiry only. */
async function isBelieved(token: string): Promise<boolean> {
  const keys = createRemoteJWKSet(new URL(sdk().userManagement.getJwksUrl(clientId)));
  return jwtVerify(token, keys).then(
    () => true,
    () => false,
  );
}

/** Verifies a token like a careful back end: also its issuer and audience. */
async function isBelievedByAll(token: string): Promise<boolean> {
  const { iss, aud } = readClaims(genuine) as { iss: string; aud: string };
  const verifier = JwtVerifier.create({ issuer: iss, audience: aud, jwksUri: 'https://unused.example/jwks' });
  verifier.cacheJwks({ keys: (await readKeys(clientId)) as never });
  try {
    return verifier.verifySync(token) !== undefined;
  } catch {
    return false;
  }
}

/** Forged tokens of the user, by the attack that each one uses. */
async function forgeries(): Promise<[string, string][]> {
  const [claims, { kid }] = [readClaims(genuine), makeHeader(genuine)];
  const [header, payload, signature] = genuine.split('.');
  const [jwk] = (await readKeys(clientId)).filter((key) => key.kid === kid);
  const published = createPublicKey({ key: jwk as never, format: 'jwk' });
  const own = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const ownJwk = { ...own.publicKey.export({ format: 'jwk' }), kid, alg: 'RS256', use: 'sig' };
  const rs256 = { alg: 'RS256', typ: 'JWT', kid };
  const hmac = (key: string | Buffer): string => {
    const content = `${encoded({ alg: 'HS256', typ: 'JWT', kid })}.${payload}`;
    return `${content}.${createHmac('sha256', key).update(content).digest('base64url')}`;
  };
  return [
    ['alg none', `${encoded({ alg: 'none', typ: 'JWT', kid })}.${payload}.`],
    ['alg None with the old signature', `${encoded({ alg: 'None', typ: 'JWT', kid })}.${payload}.${signature}`],
    ['HS256 under the public key as PEM', hmac(published.export({ type: 'spki', format: 'pem' }).toString())],
    ['HS256 under the public key as DER', hmac(published.export({ type: 'spki', format: 'der' }))],
    ['HS256 under the modulus', hmac(String(jwk?.n))],
    ['HS256 under the certificate', hmac(String(jwk?.x5c?.[0]))],
    ['HS256 under nothing', hmac('')],
    ['an embedded jwk', signed({ ...rs256, jwk: ownJwk }, claims, own.privateKey)],
    ['a jku', signed({ ...rs256, jku: 'https://attacker.example/jwks' }, claims, own.privateKey)],
    ['an x5u', signed({ ...rs256, x5u: 'https://attacker.example/cert.pem' }, claims, own.privateKey)],
    ['the published x5c', signed({ ...rs256, x5c: jwk?.x5c }, claims, own.privateKey)],
    ['the own key under the published kid', signed(rs256, claims, own.privateKey)],
    ['no kid', signed({ alg: 'RS256', typ: 'JWT' }, claims, own.privateKey)],
    ['a kid that is a path', signed({ ...rs256, kid: '../../../../dev/null' }, claims, own.privateKey)],
    ['a kid that is a query', signed({ ...rs256, kid: "' OR '1'='1" }, claims, own.privateKey)],
    ['a kid of an object’s own', signed({ ...rs256, kid: '__proto__' }, claims, own.privateKey)],
    ['ES256', signed({ ...rs256, alg: 'ES256' }, claims, ec.privateKey)],
    ['PS256 over the old signature', `${encoded({ ...rs256, alg: 'PS256' })}.${payload}.${signature}`],
    ['crit', signed({ ...rs256, crit: ['b64'], b64: false }, claims, own.privateKey)],
    ['other claims under the old signature', `${header}.${encoded({ ...claims, sub: 'user_other' })}.${signature}`],
    ['a later end under the old signature', `${header}.${encoded({ ...claims, exp: 4_000_000_000 })}.${signature}`],
    ['no signature', `${header}.${payload}.`],
    ['two parts', `${header}.${payload}`],
  ];
}

/** A token of another environment of the same service, with that environment's client. */
async function tokenOfAnother(): Promise<{ token: string; client: string }> {
  await environment();
  const other = newEnvironment('another');
  const { id } = other.record;
  const key = newEnvironmentKey(id, 'test');
  await applyWork(id, systemActor, async (unit) => unit.stage([other.write, ...key.writes]));
  const member = { email: 'ada@example.com', password: 'nine quiet Otters on 4 rafts', email_verified: true };
  const made = await call('POST', '/user_management/users', member, { apiKey: key.value });
  expect(made.status).toBe(201);
  const client = makeClientId(id);
  const response = await authenticate<Tokens>({
    client_id: client,
    client_secret: key.value,
    grant_type: 'password',
    email: member.email,
    password: member.password,
  });
  expect(response.status).toBe(200);
  return { token: response.body.access_token, client };
}

describe('a consumer of access tokens', () => {
  test('accepts tokens of the service until they expire', async () => {
    expect(await isBelieved(genuine)).toBe(true);
    expect(await isBelievedByAll(genuine)).toBe(true);
    const keys = createRemoteJWKSet(new URL(sdk().userManagement.getJwksUrl(clientId)));
    const { exp } = readClaims(genuine) as { exp: number };
    const verifiedAt = (seconds: number) => jwtVerify(genuine, keys, { currentDate: new Date(seconds * 1_000) });
    await expect(verifiedAt(exp - 1)).resolves.toBeDefined();
    await expect(verifiedAt(exp)).rejects.toThrow('exp');
  });

  test('rejects every forged token by the published keys', async () => {
    for (const [trick, token] of await forgeries()) {
      expect([trick, await isBelieved(token), await isBelievedByAll(token)]).toEqual([trick, false, false]);
    }
  });

  test('rejects a token of another environment, with the key id of either environment', async () => {
    const { token, client } = await tokenOfAnother();
    const [header, payload, signature] = token.split('.');
    const relabelled = `${encoded({ ...decoded(header), kid: makeHeader(genuine).kid })}.${payload}.${signature}`;
    for (const one of [token, relabelled]) {
      expect([await isBelieved(one), await isBelievedByAll(one)]).toEqual([false, false]);
    }
    const [ours, theirs] = [await readKeys(clientId), await readKeys(client)];
    expect(ours.map(({ kid }) => kid).filter((kid) => theirs.some((key) => key.kid === kid))).toEqual([]);
    expect(readClaims(token)).not.toMatchObject({ iss: readClaims(genuine).iss });
    expect(readClaims(token)).toMatchObject({ aud: client, client_id: client });
  });
});

describe('the published keys', () => {
  test('are for RS256 signatures only, named by their thumbprint, and contain no private members', async () => {
    const keys = await readKeys(clientId);
    expect(keys.map(({ kid }) => kid)).toContain(makeHeader(genuine).kid);
    for (const key of keys) {
      expect(key).toMatchObject({ kty: 'RSA', alg: 'RS256', use: 'sig', kid: await calculateJwkThumbprint(key) });
      expect(Object.keys(key).filter((name) => ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'].includes(name))).toEqual(
        [],
      );
      const certificate = new X509Certificate(Buffer.from(key.x5c?.[0] ?? '', 'base64'));
      expect(certificate.publicKey.export({ format: 'jwk' })).toMatchObject({ n: key.n, e: key.e });
      expect(certificate.publicKey.asymmetricKeyDetails?.modulusLength).toBeGreaterThanOrEqual(2_048);
    }
  });

  test.each(['', '/', '../client', '%2e%2e%2f', 'client_01ARZ3NDEKTSV4RRFFQ69G5FAV', '__proto__'])(
    'are not found for the client %j',
    async (client) => {
      const { status } = await call('GET', `/sso/jwks/${client}`, undefined, { apiKey: null });
      expect(status).toBe(404);
    },
  );
});

describe('the API', () => {
  test('accepts no access token as an API key', async () => {
    const tokens = [genuine, refreshToken, ...(await forgeries()).map(([, token]) => token)];
    for (const token of tokens) {
      const { status } = await call('GET', '/user_management/users', undefined, { apiKey: token });
      expect(status).toBe(401);
    }
  });

  test('accepts no access token as a client secret', async () => {
    const response = await authenticate({
      client_secret: genuine,
      grant_type: 'password',
      email: 'ada@example.com',
      password: PASSWORD,
    });
    expect(response).toMatchObject({ status: 400, body: { error: 'invalid_client' } });
  });

  test.each<[string, Record<string, string>]>([
    ['refresh_token', { refresh_token: 'TOKEN' }],
    ['authorization_code', { code: 'TOKEN', code_verifier: 'v'.repeat(43) }],
    ['urn:ietf:params:oauth:grant-type:device_code', { device_code: 'TOKEN' }],
    [vendor('email-verification:code'), { code: '123456', pending_authentication_token: 'TOKEN' }],
    [vendor('organization-selection'), { organization_id: 'org_1', pending_authentication_token: 'TOKEN' }],
    [
      vendor('mfa-totp'),
      { code: '123456', pending_authentication_token: 'TOKEN', authentication_challenge_id: 'auth_challenge_1' },
    ],
    [vendor('email-completion'), { email: 'eve@example.com', email_completion_token: 'TOKEN' }],
  ])('accepts no access token as the credential of the grant %s', async (grant, members) => {
    const put = (token: string) =>
      Object.fromEntries(Object.entries(members).map(([name, value]) => [name, value.replace('TOKEN', token)]));
    for (const token of [genuine, (await forgeries())[0]?.[1] ?? '', randomUUID()]) {
      for (const send of [authenticate, authenticatePublicly]) {
        const { status, body } = await send<Record<string, unknown>>({ grant_type: grant, ...put(token) });
        expect([status >= 400 && status < 500, body.access_token]).toEqual([true, undefined]);
      }
    }
  });

  test('accepts no access token as a session id', async () => {
    await call('GET', `/user_management/sessions/logout?session_id=${genuine}`, undefined, { apiKey: null });
    expect((await call('POST', '/user_management/sessions/revoke', { session_id: genuine })).status).not.toBe(200);
    const response = await authenticate<Tokens>({ grant_type: 'refresh_token', refresh_token: refreshToken });
    expect(response.status).toBe(200);
  });
});

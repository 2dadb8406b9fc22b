import { createHash, createPublicKey, generateKeyPairSync, verify, X509Certificate } from 'node:crypto';

import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';

import { makeClientId, newEnvironment } from '../../../functions/kernel/authentication/api-key.ts';
import { systemActor } from '../../../functions/kernel/authentication/caller.ts';
import { clock } from '../../../functions/kernel/clock.ts';
import { sealedWithin } from './inside.ts';
import { applyWork } from '../../../functions/kernel/storage/background.ts';
import { selfSigned } from '../../../functions/kernel/keys/certificate.ts';
import { findSigningKeys } from '../../../functions/kernel/tokens/key-set.ts';
import {
  ensureSigningKey,
  rotateSigningKey,
  RotationTooEarly,
  computeThumbprint,
} from '../../../functions/kernel/tokens/keys.ts';
import { mintAccessToken } from '../../../functions/tenancy/sessions/public.ts';
import { type Inside, open, openInside } from './inside.ts';

let inside: Inside;

beforeAll(async () => {
  inside = await openInside();
});
afterEach(() => clock.reset());
afterAll(() => inside.stop());

interface Jwk {
  kid: string;
  n: string;
  e: string;
  x5c: string[];
  'x5t#S256': string;
  [member: string]: unknown;
}

const jwks = async (environmentId: string): Promise<Jwk[]> => {
  const { status, json } = await inside.target.send('GET', `/sso/jwks/${makeClientId(environmentId)}`);
  expect(status).toBe(200);
  return (json as { keys: Jwk[] }).keys;
};
const kids = async (environmentId: string): Promise<string[]> => (await jwks(environmentId)).map(({ kid }) => kid);

async function freshEnvironment(): Promise<string> {
  const { record, write } = newEnvironment('fresh');
  await applyWork(record.id, systemActor, async (unit) => unit.stage(write));
  return record.id;
}

const readToken = async (environmentId: string): Promise<string> => {
  const { session } = await open(environmentId);
  return mintAccessToken(session, { user: { id: session.userId } });
};
const readKid = (token: string): string =>
  (JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()) as { kid: string }).kid;

/** Reports whether a token's signature matches one of the published keys. */
function isSigned(token: string, keys: readonly Jwk[]): boolean {
  const [header = '', payload = '', signature = ''] = token.split('.');
  const jwk = keys.find(({ kid }) => kid === readKid(token));
  if (jwk === undefined) return false;
  const key = createPublicKey({ key: { kty: 'RSA', n: jwk.n, e: jwk.e }, format: 'jwk' });
  return verify('sha256', Buffer.from(`${header}.${payload}`), key, Buffer.from(signature, 'base64url'));
}

describe('the key set', () => {
  test('has two keys, each with its certificate and thumbprints', async () => {
    const keys = await jwks(inside.here);
    expect(keys).toHaveLength(2);
    for (const jwk of keys) {
      expect(jwk).toMatchObject({ alg: 'RS256', kty: 'RSA', use: 'sig' });
      const der = Buffer.from(jwk.x5c[0] ?? '', 'base64');
      const certificate = new X509Certificate(der);
      expect(certificate.verify(certificate.publicKey)).toBe(true);
      expect(certificate.publicKey.export({ format: 'jwk' })).toMatchObject({ n: jwk.n, e: jwk.e });
      expect(jwk['x5t#S256']).toBe(createHash('sha256').update(der).digest('base64url'));
      expect(jwk.kid).toBe(computeThumbprint(certificate.publicKey));
    }
  });

  test('can be cached for minutes, and does not change', async () => {
    const path = `/sso/jwks/${makeClientId(inside.here)}`;
    const first = await inside.target.send('GET', path);
    expect(first.headers['cache-control']).toBe('public, max-age=300');
    expect((await inside.target.send('GET', path)).text).toBe(first.text);
  });

  test('is not found for an unknown client, and no keys are created for it', async () => {
    for (const client of [
      'client_01K0G000000000000000000009',
      'client_',
      inside.here,
      '..%2f..%2fsecrets',
      makeClientId(inside.here).toLowerCase(),
    ]) {
      const { status, json } = await inside.target.send('GET', `/sso/jwks/${client}`);
      expect(status).toBe(404);
      expect(json).toHaveProperty('message');
    }
    expect(await findSigningKeys('environment_01K0G000000000000000000009', 'sessions')).toBeUndefined();
  });

  test('is created once by parallel first requests', async () => {
    const environmentId = await freshEnvironment();
    const tokens = await Promise.all(Array.from({ length: 10 }, () => readToken(environmentId)));
    const keys = await jwks(environmentId);
    expect(new Set(tokens.map(readKid)).size).toBe(1);
    expect(tokens.every((token) => isSigned(token, keys))).toBe(true);
    expect((await ensureSigningKey(environmentId, 'sessions')).version).toBe(1);
  });

  test('differs between environments', async () => {
    const other = await kids(inside.there);
    expect((await kids(inside.here)).filter((kid) => other.includes(kid))).toEqual([]);
  });

  test('is stored with encrypted private keys', async () => {
    const record = await ensureSigningKey(inside.here, 'sessions');
    expect(sealedWithin(record)).toBe(true);
  });
});

describe('a rotation of signing keys', () => {
  test('of one key set does not change the other', async () => {
    const environmentId = await freshEnvironment();
    const sessions = (await ensureSigningKey(environmentId, 'sessions')).current.kid;
    const connect = (await ensureSigningKey(environmentId, 'connect')).next.kid;
    expect(await rotateSigningKey(environmentId, 'connect', true)).toBe(connect);
    expect((await findSigningKeys(environmentId, 'sessions'))?.current.kid).toBe(sessions);
    expect(await kids(environmentId)).not.toContain(connect);
  });

  test('is rejected while verifiers may still have cached keys without the next one', async () => {
    const environmentId = await freshEnvironment();
    await ensureSigningKey(environmentId, 'sessions');
    await expect(rotateSigningKey(environmentId, 'sessions')).rejects.toThrow(RotationTooEarly);
    clock.advance(13 * 60_000);
    await expect(rotateSigningKey(environmentId, 'sessions')).rejects.toThrow(RotationTooEarly);
  });

  test('uses the next key, which was published before, and every token has a published key', async () => {
    const environmentId = await freshEnvironment();
    const before = await readToken(environmentId);
    const published = await jwks(environmentId);
    clock.advance(16 * 60_000);
    const stop = { now: false };
    const made: string[] = [];
    const load = (async () => {
      while (!stop.now) made.push(await readToken(environmentId));
    })();
    const signs = await rotateSigningKey(environmentId, 'sessions');
    expect(published.map(({ kid }) => kid)).toContain(signs);
    const after = await jwks(environmentId);
    stop.now = true;
    await load;
    expect(after).toHaveLength(3);
    for (const token of [before, ...made]) expect(isSigned(token, after)).toBe(true);
    // An instance uses a decrypted key for a minute at most.
    clock.advance(61_000);
    const late = await readToken(environmentId);
    expect(readKid(late)).toBe(signs);
    // A verifier that fetched the keys before the rotation need not fetch them again.
    expect(isSigned(late, published)).toBe(true);
  });

  test('removes the former key when its last token has expired', async () => {
    const environmentId = await freshEnvironment();
    const former = readKid(await readToken(environmentId));
    clock.advance(16 * 60_000);
    await rotateSigningKey(environmentId, 'sessions');
    clock.advance(60 * 60_000);
    expect(await kids(environmentId)).toContain(former);
    clock.advance(10 * 60_000);
    expect(await kids(environmentId)).not.toContain(former);
    expect(await kids(environmentId)).toHaveLength(2);
  });

  test('that replaces a compromised key removes it at once', async () => {
    const environmentId = await freshEnvironment();
    const former = readKid(await readToken(environmentId));
    await rotateSigningKey(environmentId, 'sessions', true);
    expect(await kids(environmentId)).not.toContain(former);
    expect(await kids(environmentId)).toHaveLength(2);
  });
});

test('a certificate of any key parses, is self-signed and does not expire', () => {
  for (const [modulusLength, year] of [
    [2_048, 2026],
    [3_072, 2051],
  ] as const) {
    const pair = generateKeyPairSync('rsa', { modulusLength });
    const from = Date.UTC(year, 0, 15, 12);
    const certificate = new X509Certificate(selfSigned(pair, 'environment_1', from));
    expect(certificate.subject).toBe('CN=environment_1');
    expect(certificate.issuer).toBe('CN=environment_1');
    expect(certificate.validFrom).toBe(`Jan 15 12:00:00 ${year} GMT`);
    expect(certificate.validTo).toBe('Dec 31 23:59:59 9999 GMT');
    expect(certificate.verify(pair.publicKey)).toBe(true);
    expect(certificate.checkPrivateKey(pair.privateKey)).toBe(true);
    const limited = new X509Certificate(selfSigned(pair, 'Ünïcode', from, { until: Date.UTC(year + 10, 0, 15, 12) }));
    expect(limited.validTo).toBe(`Jan 15 12:00:00 ${year + 10} GMT`);
    expect(limited.subject).toBe('CN=Ünïcode');
  }
});

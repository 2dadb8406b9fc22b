import { createHmac, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';

import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';

import { makeClientId } from '../../../functions/kernel/authentication/api-key.ts';
import { forgetEnvironments } from '../../../functions/kernel/authentication/environment.ts';
import { systemActor } from '../../../functions/kernel/authentication/caller.ts';
import { clock } from '../../../functions/kernel/clock.ts';
import { applyWork } from '../../../functions/kernel/storage/background.ts';
import { environments } from '../../../functions/kernel/storage/environment.ts';
import { mintAccessToken, type SessionRecord, TokenTooBig } from '../../../functions/tenancy/sessions/public.ts';
import type { TokenSubject } from '../../../functions/tenancy/sessions/access-token/claims.ts';
import { makeJwk } from '../../../functions/kernel/tokens/jwks.ts';
import { findSigningKeys } from '../../../functions/kernel/tokens/key-set.ts';
import { findSigning } from '../../../functions/kernel/tokens/keys.ts';
import { tokenKinds } from '../../../functions/kernel/tokens/kinds.ts';
import { signToken } from '../../../functions/kernel/tokens/sign.ts';
import { verifyToken } from '../../../functions/kernel/tokens/verify.ts';
import { type Inside, open, openInside, set } from './inside.ts';

let inside: Inside;
let here: string;

beforeAll(async () => {
  inside = await openInside();
  here = inside.here;
});
afterEach(() => clock.reset());
afterAll(() => inside.stop());

const user = { id: 'user_01K0G000000000000000000000', email: 'ada@example.com' };
const decoded = (part = ''): Record<string, unknown> =>
  JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>;
const readClaims = (token: string) => decoded(token.split('.')[1]);
const token = async (session: SessionRecord, subject: Partial<TokenSubject> = {}): Promise<string> =>
  mintAccessToken(session, { user: { ...user, id: session.userId }, ...subject });

describe('an access token', () => {
  test('has the claims of the contract, and claims about an organization only if the session has one', async () => {
    const { session } = await open(here);
    const made = await token(session, { membership: { role: 'admin', roles: ['admin'] } });
    expect(decoded(made.split('.')[0])).toEqual({ alg: 'RS256', typ: 'JWT', kid: expect.any(String) });
    const claims = readClaims(made);
    expect(claims).toEqual({
      iss: `https://auth.example.com/user_management/${makeClientId(here)}`,
      aud: makeClientId(here),
      sub: session.userId,
      sid: session.id,
      client_id: makeClientId(here),
      auth_time: Math.floor(Date.parse(session.createdAt) / 1_000),
      jti: expect.any(String),
      iat: expect.any(Number),
      exp: Number(claims.iat) + 300,
    });
  });

  test('contains the organization, its roles and permissions, and omits empty lists', async () => {
    const { session } = await open(here, { organizationId: 'org_01K0G000000000000000000000' });
    const membership = { role: 'admin', roles: ['admin', 'member'], permissions: ['posts:read'], feature_flags: [] };
    const claims = readClaims(await token(session, { membership }));
    expect(claims).toMatchObject({
      org_id: session.organizationId,
      role: 'admin',
      roles: ['admin', 'member'],
      permissions: ['posts:read'],
    });
    expect(claims).not.toHaveProperty('feature_flags');
    expect(claims).not.toHaveProperty('entitlements');
  });

  test('names an impersonator, and has the configured lifetime', async () => {
    await set(here, 'sessions', { access_token_seconds: 60 });
    const impersonator = { email: 'support@example.com', reason: null };
    const { session } = await open(here, { authMethod: 'impersonation', impersonator });
    const claims = readClaims(await token(session));
    expect(claims.act).toEqual({ sub: 'support@example.com' });
    expect(claims.impersonator).toEqual(impersonator);
    expect(Number(claims.exp) - Number(claims.iat)).toBe(60);
    await set(here, 'sessions', {});
  });

  test('has the environment’s issuer', async () => {
    await applyWork(inside.there, systemActor, async (unit) => {
      const environment = await environments.get(inside.there, inside.there);
      if (environment === undefined) throw new Error('no environment');
      unit.stage(environments.revise(environment, { issuer: 'https://id.example.com' }).write);
    });
    forgetEnvironments();
    const { session } = await open(inside.there);
    const made = await token(session);
    expect(readClaims(made).iss).toBe('https://id.example.com');
    expect(await verifyToken(inside.there, 'session', made)).toMatchObject({ sid: session.id });
  });

  test('is rejected if it is too large for a header', async () => {
    const { session } = await open(here, { organizationId: 'org_1' });
    const permissions = Array.from({ length: 400 }, (_, at) => `permission:${at}`);
    await expect(token(session, { membership: { role: 'member', roles: ['member'], permissions } })).rejects.toThrow(
      TokenTooBig,
    );
  });
});

describe('the verification of an access token', () => {
  test('returns the claims of a genuine token until it expires', async () => {
    const { session } = await open(here);
    const made = await token(session);
    expect(await verifyToken(here, 'session', made)).toMatchObject({ sub: session.userId, sid: session.id });
    clock.advance(280_000);
    expect(await verifyToken(here, 'session', made)).toBeDefined();
    clock.advance(21_000);
    expect(await verifyToken(here, 'session', made)).toBeUndefined();
  });

  test('rejects a token of another environment, and one with another issuer or audience', async () => {
    const { session } = await open(inside.there);
    expect(await verifyToken(here, 'session', await token(session))).toBeUndefined();
    expect(
      await verifyToken('environment_01K0G000000000000000000009', 'session', await token(session)),
    ).toBeUndefined();
  });

  test('rejects other JWTs that the environment’s own key signed', async () => {
    const { session } = await open(here);
    const genuine = readClaims(await token(session));
    const { kid, privateKey } = await findSigning(here, 'sessions');
    const signed = (head: object, claims: object, hash = 'sha256') => {
      const parts = [
        { alg: 'RS256', typ: 'JWT', kid, ...head },
        { ...genuine, ...claims },
      ];
      const content = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
      return `${content}.${sign(hash, Buffer.from(content), privateKey).toString('base64url')}`;
    };
    expect(await verifyToken(here, 'session', signed({}, {}))).toMatchObject({ sid: session.id });
    for (const other of [
      signed({ typ: 'at+jwt' }, {}),
      signed({ typ: undefined }, {}),
      signed({ alg: 'RS384' }, {}, 'sha384'),
      signed({}, { aud: 'client_01K0G000000000000000000009' }),
      signed({}, { aud: undefined }),
      signed({}, { iss: 'https://auth.example.com/user_management/client_01K0G000000000000000000009' }),
      signed({}, { iss: undefined }),
      signed({}, { exp: undefined }),
      signed({}, { sub: 'agent_01K0G000000000000000000000' }),
      signed({}, { sub: undefined }),
    ]) {
      expect(await verifyToken(here, 'session', other)).toBeUndefined();
    }
  });

  test('rejects every confusion of algorithm and key', async () => {
    const { session } = await open(here);
    const genuine = await token(session);
    const [header = '', payload = '', signature = ''] = genuine.split('.');
    const { kid } = decoded(header);
    const keys = await findSigningKeys(here, 'sessions');
    if (keys === undefined) throw new Error('no keys');
    const jwk = makeJwk(keys.current);
    const pem = createPublicKey({ key: { kty: 'RSA', n: jwk.n, e: jwk.e }, format: 'jwk' });
    const own = generateKeyPairSync('rsa', { modulusLength: 2_048 });
    const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const text = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const signed = (head: object, key: KeyObject, body = payload) => {
      const content = `${text(head)}.${body}`;
      return `${content}.${sign('sha256', Buffer.from(content), key).toString('base64url')}`;
    };
    const hmac = (key: string | Buffer) => {
      const content = `${text({ alg: 'HS256', typ: 'JWT', kid })}.${payload}`;
      return `${content}.${createHmac('sha256', key).update(content).digest('base64url')}`;
    };
    const { n, e } = own.publicKey.export({ format: 'jwk' });
    const forged = [
      `${text({ alg: 'none', typ: 'JWT' })}.${payload}.`,
      `${text({ alg: 'none', typ: 'JWT', kid })}.${payload}.`,
      `${text({ alg: 'None', typ: 'JWT', kid })}.${payload}.${signature}`,
      hmac(pem.export({ type: 'spki', format: 'pem' }).toString()),
      hmac(pem.export({ type: 'spki', format: 'der' })),
      hmac(jwk.n),
      signed({ alg: 'RS256', typ: 'JWT', kid }, own.privateKey),
      signed({ alg: 'RS256', typ: 'JWT', kid, jwk: { kty: 'RSA', n, e, alg: 'RS256', use: 'sig' } }, own.privateKey),
      signed({ alg: 'RS256', typ: 'JWT', kid: '../../../dev/null' }, own.privateKey),
      signed({ alg: 'RS256', typ: 'JWT', kid, jku: 'https://attacker.example/jwks' }, own.privateKey),
      signed({ alg: 'RS256', typ: 'JWT' }, own.privateKey),
      signed({ alg: 'ES256', typ: 'JWT', kid }, ec.privateKey),
      `${text({ alg: 'RS256', typ: 'JWT', kid })}.${text({ ...readClaims(genuine), sub: 'user_other' })}.${signature}`,
      `${header}.${payload}.`,
      `${header}.${payload}`,
      '',
      'a.b.c',
    ];
    for (const one of forged) expect(await verifyToken(here, 'session', one)).toBeUndefined();
    expect(await verifyToken(here, 'session', genuine)).toBeDefined();
  });
});

describe('the kinds of tokens', () => {
  const kinds = Object.keys(tokenKinds) as (keyof typeof tokenKinds)[];

  test.each(kinds)('a token of kind %s is accepted as that kind and as no other', async (kind) => {
    const iss = `https://auth.example.com/user_management/${makeClientId(here)}`;
    const sub = `${tokenKinds[kind].subjects[0]}_01K0G000000000000000000000`;
    const made = await signToken(here, kind, { iss, aud: makeClientId(here), sub }, 60);
    const accepted = await Promise.all(kinds.map(async (other) => (await verifyToken(here, other, made)) && other));
    expect(accepted.filter((other) => other !== undefined)).toEqual([kind]);
    expect(await verifyToken(here, kind, made, 'another audience')).toBeUndefined();
    expect(await verifyToken(inside.there, kind, made)).toBeUndefined();
  });

  test('the key set at /sso/jwks verifies only tokens that official clients look for', async () => {
    const { keys } = (await inside.target.send('GET', `/sso/jwks/${makeClientId(here)}`)).json as {
      keys: { kid: string }[];
    };
    for (const kind of kinds) {
      const { kid } = decoded((await signToken(here, kind, {}, 60)).split('.')[0]);
      expect(keys.some((key) => key.kid === kid)).toBe(tokenKinds[kind].keySet === 'sessions');
    }
    expect(kinds.filter((kind) => tokenKinds[kind].keySet === 'sessions')).toEqual([
      'session',
      'agent',
      'registration',
    ]);
  });
});

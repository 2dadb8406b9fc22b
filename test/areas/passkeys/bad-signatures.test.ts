import { constants, createHash, type KeyObject, sign } from 'node:crypto';

import { beforeEach, describe, expect, test } from '@jest/globals';

import {
  type Algorithm,
  type Authenticator,
  authenticator,
  base64url,
  type CeremonyOptions,
} from '../../support/authenticator.ts';
import type { Browser, Page } from '../../support/browser.ts';
import { advance, call, idle, service } from '../../support/service.ts';
import { receiver } from '../../support/receiver.ts';
import { otherEnvironment } from '../authentication/inside.ts';
import { authorizeUrl, isAtApplication, makeUser, newPerson, PASSWORD, REDIRECT_URI } from '../pages/application.ts';

const EMAIL = 'ada@example.com';

let person: Browser;
let origin: string;
let userId: string;

beforeEach(async () => {
  person = await newPerson();
  origin = (await service()).url;
  userId = await makeUser(EMAIL);
  await call('PUT', '/x/authentication/settings', { methods: { passkey: true } });
});

function readOptions({ text }: Page): CeremonyOptions {
  const found = /data-options="([^"]+)"/.exec(text)?.[1] ?? '';
  return JSON.parse(found.replaceAll('&quot;', '"').replaceAll('&amp;', '&')) as CeremonyOptions;
}

/** Imports a passkey that has verified its user. */
async function addPasskey(algorithm: Algorithm): Promise<Authenticator> {
  const own = authenticator(origin, { algorithm });
  own.userHandle = base64url('a handle');
  const { credentialId: credential_id, publicKey: public_key, userHandle: user_handle } = own;
  const body = { user_id: userId, credential_id, public_key, user_handle, verifies_user: true };
  expect((await call('POST', '/x/passkeys', body)).status).toBe(201);
  return own;
}

/** A signature in place of the right one: of the right one, the signed bytes and the private key. */
type Forge = (signature: Buffer, signed: Buffer, key: KeyObject) => Uint8Array;

async function signIn(own: Authenticator, forge: Forge = (signature) => signature): Promise<Page> {
  const page = await person.open(await authorizeUrl({ prompt: 'login' }));
  const credential = own.get(readOptions(page), {
    change: (parts, key) => {
      const hash = createHash('sha256').update(parts.clientData).digest();
      parts.signature = Buffer.from(forge(parts.signature, Buffer.concat([parts.authenticatorData, hash]), key));
    },
  });
  return person.submit(page, { credential }, 'data-passkey');
}

const ORDER = BigInt('0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551');
const EDWARDS_ORDER = 2n ** 252n + 27742317777372353535851937790883648493n;

const toNumber = (bytes: Uint8Array): bigint => BigInt(`0x0${Buffer.from(bytes).toString('hex')}`);

/** The bytes of a DER integer. @param padding bytes before it that DER forbids */
function integer(value: bigint, padding: readonly number[] = []): Buffer {
  const hex = value.toString(16);
  const bytes = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex');
  const content = Buffer.concat([Buffer.from(padding), Buffer.from((bytes[0] ?? 0) > 0x7f ? [0] : []), bytes]);
  return Buffer.concat([Buffer.from([2, content.length]), content]);
}

const sequence = (...parts: Uint8Array[]): Buffer => {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([0x30, content.length]), content]);
};

/** Reads r and s of a signature in DER. */
function readPair(signature: Buffer): { r: bigint; s: bigint } {
  const length = signature[3] ?? 0;
  const rest = signature.subarray(4 + length);
  return { r: toNumber(signature.subarray(4, 4 + length)), s: toNumber(rest.subarray(2, 2 + (rest[1] ?? 0))) };
}

const pair = (make: (r: bigint, s: bigint) => Uint8Array): Forge => {
  return (signature) => {
    const { r, s } = readPair(signature);
    return make(r, s);
  };
};

/** The kinds of wrong signatures that Project Wycheproof tests, made for each response. */
const ECDSA: readonly (readonly [string, Forge])[] = [
  ['zeros', () => sequence(integer(0n), integer(0n))],
  ['ones', () => sequence(integer(1n), integer(1n))],
  ['r of zero', pair((_, s) => sequence(integer(0n), integer(s)))],
  ['s of zero', pair((r) => sequence(integer(r), integer(0n)))],
  ['the order of the curve in place of r', pair((_, s) => sequence(integer(ORDER), integer(s)))],
  ['the order of the curve in place of both', () => sequence(integer(ORDER), integer(ORDER))],
  ['r above the order', pair((r, s) => sequence(integer(r + ORDER), integer(s)))],
  ['s above the order', pair((r, s) => sequence(integer(r), integer(s + ORDER)))],
  ['r and s exchanged', pair((r, s) => sequence(integer(s), integer(r)))],
  ['s plus one', pair((r, s) => sequence(integer(r), integer(s + 1n)))],
  ['no integers', () => sequence()],
  ['one integer', pair((r) => sequence(integer(r)))],
  ['a set in place of the sequence', (signature) => Buffer.concat([Buffer.from([0x31]), signature.subarray(1)])],
  ['a length that is too large', (signature) => Buffer.concat([Buffer.from([0x30, 0x7f]), signature.subarray(2)])],
  ['an end that is missing', (signature) => signature.subarray(0, -1)],
  ['a single byte', () => Buffer.from([0x30])],
  ['a hash of another kind', (_, signed, key) => sign('sha512', signed, key)],
  ['other signed bytes', (_, signed, key) => sign('sha256', Buffer.concat([signed, Buffer.alloc(1)]), key)],
  ['one other bit', (signature) => signature.map((byte, index) => (index === 9 ? byte ^ 1 : byte))],
];

const littleEndian = (value: bigint): Buffer => Buffer.from(value.toString(16).padStart(64, '0'), 'hex').reverse();

const EDDSA: readonly (readonly [string, Forge])[] = [
  ['zeros', () => Buffer.alloc(64)],
  ['one byte less', (signature) => signature.subarray(0, 63)],
  ['one byte more', (signature) => Buffer.concat([signature, Buffer.alloc(1)])],
  ['no bytes but one', () => Buffer.from([0])],
  [
    'S above the order, which makes it malleable (RFC 8032 section 5.1.7)',
    (signature) => {
      const s = toNumber(Buffer.from(signature.subarray(32)).reverse());
      return Buffer.concat([signature.subarray(0, 32), littleEndian(s + EDWARDS_ORDER)]);
    },
  ],
  ['S of zero', (signature) => Buffer.concat([signature.subarray(0, 32), Buffer.alloc(32)])],
  ['another R', (signature) => Buffer.concat([Buffer.alloc(32, 1), signature.subarray(32)])],
  ['halves exchanged', (signature) => Buffer.concat([signature.subarray(32), signature.subarray(0, 32)])],
  ['other signed bytes', (_, signed, key) => sign(null, signed.subarray(1), key)],
];

const RSA: readonly (readonly [string, Forge])[] = [
  ['zeros', () => Buffer.alloc(256)],
  ['the number one', () => Buffer.concat([Buffer.alloc(255), Buffer.from([1])])],
  ['one byte less', (signature) => signature.subarray(1)],
  ['a byte before it', (signature) => Buffer.concat([Buffer.alloc(1), signature])],
  ['a hash of another kind', (_, signed, key) => sign('sha1', signed, key)],
  ['the padding of PSS', (_, signed, key) => sign('sha256', signed, { key, padding: constants.RSA_PKCS1_PSS_PADDING })],
  ['one other bit', (signature) => signature.map((byte, index) => (index === 100 ? byte ^ 1 : byte))],
];

describe('a passkey with a wrong signature', () => {
  test.each([
    ['ES256', ECDSA],
    ['EdDSA', EDDSA],
    ['RS256', RSA],
  ] as const)('does not sign its user in: %s', async (algorithm, forgeries) => {
    const own = await addPasskey(algorithm);
    for (const [name, forge] of forgeries) {
      const rejected = await signIn(own, forge);
      expect([name, rejected.status, isAtApplication(rejected)]).toEqual([name, 422, false]);
      // Attempts are limited by the minute.
      await advance(61);
    }
    expect(isAtApplication(await signIn(own))).toBe(true);
    await idle();
    const { body } = await call<{ data: object[] }>('GET', '/events?events=authentication.passkey_failed&limit=100');
    expect(body.data.length).toBe(forgeries.length);
  });
});

/** Texts that are not well-formed CBOR, from RFC 8949 appendix F. */
const NOT_WELL_FORMED = [
  ...['18', '19', '1a', '1b', '1901', '1a0102', '1b01020304050607', '38', '58', '78', '98', '9a01ff00', 'b8', 'd8'],
  ...['f8', 'f900', 'fa0000', 'fb000000', '41', '61', '5affffffff00', '5bffffffffffffffff010203', '7affffffff00'],
  ...['7b7fffffffffffffff010203', '81', '818181818181818181', '8200', 'a1', 'a20102', 'a100', 'a2000000', 'c0'],
  ...['5f4100', '7f6100', '9f', '9f0102', 'bf', 'bf01020102', '819f', '9f8000', '9f9f9f9f9fffffffff'],
  ...['9f819f819f9fffffff', '1c', '1d', '1e', '3c', '5c', '7c', '9c', 'bc', 'dc', 'fc', 'fd', 'fe', 'f800', 'f81f'],
  ...['5f00ff', '5f21ff', '5f6100ff', '5f80ff', '5fa0ff', '5fc000ff', '7f4100ff', '5f5f4100ffff', '7f7f6100ffff'],
  ...[
    'ff',
    '81ff',
    '8200ff',
    'a1ff',
    'a1ff00',
    'a100ff',
    'a20000ff',
    '9f81ff',
    'bf00ff',
    'bf000000ff',
    '1f',
    '3f',
    'df',
  ],
];

describe('a new passkey with wrong CBOR', () => {
  test('is not created, and never causes a server error', async () => {
    const first = await person.open(await authorizeUrl({ prompt: 'login' }));
    let page = await person.submit(await person.submit(first, { email: EMAIL }), { password: PASSWORD });
    expect(page.url).toContain('/hosted/passkey');
    const own = authenticator(origin);
    for (const text of NOT_WELL_FORMED) {
      const attestationObject = new Uint8Array(Buffer.from(text, 'hex'));
      page = await person.submit(
        page,
        { credential: own.create(readOptions(page), { attestationObject }) },
        'data-passkey',
      );
      expect([text, page.status]).toEqual([text, 422]);
    }
    expect((await call<{ data: object[] }>('GET', `/x/passkeys?user_id=${userId}`)).body.data).toEqual([]);
    const done = await person.submit(page, { credential: own.create(readOptions(page)) }, 'data-passkey');
    expect(isAtApplication(done)).toBe(true);
  });
});

const hex = (text: string): Buffer => Buffer.from(text, 'hex');
/** The length of the head of authenticator data, and of the part before the key with a credential id of 32 bytes. */
const HEAD = 37;
const BEFORE_KEY = HEAD + 16 + 2 + 32;

/** Attestation objects that are well-formed or nearly so, made from a right one and its authenticator data. */
const HOSTILE: readonly (readonly [string, (good: Buffer, data: Buffer) => Buffer])[] = [
  ['a byte after its end', (good) => Buffer.concat([good, hex('00')])],
  ['a second object after its end', (good) => Buffer.concat([good, good])],
  ['the same member twice', (good) => Buffer.concat([hex('a4'), good.subarray(1), hex('63666d74646e6f6e65')])],
  [
    'other authenticator data in a second member',
    (good) => Buffer.concat([hex('a4'), good.subarray(1), hex('68617574684461746140')]),
  ],
  ['an indefinite length', (good) => Buffer.concat([hex('bf'), good.subarray(1), hex('ff')])],
  ['a member less than it says', (good) => Buffer.concat([hex('a4'), good.subarray(1)])],
  ['a list in place of the map', (good) => Buffer.concat([hex('83'), good.subarray(1)])],
  ['authenticator data of 2^64 bytes', () => Buffer.concat([hex('a1686175746844617461'), hex('5bffffffffffffffff00')])],
  ['authenticator data as text', () => hex('a363666d74646e6f6e656761747453746d74a068617574684461746161')],
  ['a map of 2^64 members', () => hex('bbffffffffffffffff00')],
  ['4,000 nested lists', (good) => nest(good, '81')],
  ['4,000 nested maps', (good) => nest(good, 'a100')],
  ['4,000 nested tags', (good) => nest(good, 'c0')],
  ['a key with the same coordinate twice', (_, data) => wrap(withKey(data, (key) => grow(key, '2140')))],
  ['a byte after the key', (_, data) => wrap(Buffer.concat([data, hex('00')]))],
  ['no key', (_, data) => wrap(data.subarray(0, BEFORE_KEY))],
  ['a key that ends too early', (_, data) => wrap(data.subarray(0, -8))],
  ['a key of another algorithm', (_, data) => wrap(withKey(data, (key) => replace(key, '0326', '033903e6')))],
  ['extensions that it does not have', (_, data) => wrap(withByte(data, 32, 0xc5))],
  ['an id of 65,535 bytes that it does not have', (_, data) => wrap(withByte(withByte(data, 53, 0xff), 54, 0xff))],
  ['only the head of authenticator data', (_, data) => wrap(data.subarray(0, HEAD))],
];

function wrap(data: Uint8Array): Buffer {
  const length = Buffer.from([0x59, data.length >> 8, data.length & 0xff]);
  return Buffer.concat([hex('a363666d74646e6f6e656761747453746d74a0686175746844617461'), length, data]);
}

const nest = (good: Buffer, head: string): Buffer =>
  replace(good, '6761747453746d74a0', `6761747453746d74${head.repeat(4_000)}00`);

function replace(bytes: Buffer, from: string, to: string): Buffer {
  const text = bytes.toString('hex');
  if (!text.includes(from)) throw new Error(`The bytes have no ${from}`);
  return hex(text.replace(from, to));
}

const withKey = (data: Buffer, change: (key: Buffer) => Buffer): Buffer =>
  Buffer.concat([data.subarray(0, BEFORE_KEY), change(data.subarray(BEFORE_KEY))]);

/** A map with one more member. */
const grow = (map: Buffer, member: string): Buffer =>
  Buffer.concat([Buffer.from([(map[0] ?? 0) + 1]), map.subarray(1), hex(member)]);

function withByte(data: Buffer, at: number, value: number): Buffer {
  const changed = Buffer.from(data);
  changed.writeUInt8(value, at);
  return changed;
}

describe('a new passkey with hostile CBOR', () => {
  test('is not created, and never causes a server error', async () => {
    const first = await person.open(await authorizeUrl({ prompt: 'login' }));
    let page = await person.submit(await person.submit(first, { email: EMAIL }), { password: PASSWORD });
    const own = authenticator(origin);
    for (const [name, change] of HOSTILE) {
      const credential = JSON.parse(own.create(readOptions(page))) as { response: { attestationObject: string } };
      const good = Buffer.from(credential.response.attestationObject, 'base64url');
      const data = good.subarray(good.indexOf('authData') + 'authData'.length + 2);
      const object = change(good, data);
      credential.response.attestationObject = base64url(object);
      page = await person.submit(page, { credential: JSON.stringify(credential) }, 'data-passkey');
      expect([name, page.status]).toEqual([name, 422]);
    }
    expect((await call<{ data: object[] }>('GET', `/x/passkeys?user_id=${userId}`)).body.data).toEqual([]);
    const done = await person.submit(page, { credential: own.create(readOptions(page)) }, 'data-passkey');
    expect(isAtApplication(done)).toBe(true);
  });
});

describe('a passkey of another environment of the same host', () => {
  test('does not sign in, and the page says that it may belong to another service on this domain', async () => {
    const own = await addPasskey('ES256');
    const other = await otherEnvironment();
    const key = { apiKey: other.apiKey };
    await call('PUT', '/x/authentication/settings', { methods: { passkey: true } }, key);
    await call('POST', '/user_management/redirect_uris', { uri: REDIRECT_URI }, key);
    const page = await person.open(await authorizeUrl({ client_id: other.clientId }));
    const rejected = await person.submit(page, { credential: own.get(readOptions(page)) }, 'data-passkey');
    expect([rejected.status, rejected.text.includes('another service on this domain')]).toEqual([422, true]);
    expect(isAtApplication(await signIn(own))).toBe(true);
  });
});

describe('the events of passkeys', () => {
  test('are delivered to webhook endpoints', async () => {
    const hooks = await receiver();
    const events = ['authentication.passkey_succeeded', 'authentication.passkey_failed'];
    await call('POST', '/webhook_endpoints', { endpoint_url: hooks.url, events });
    const own = await addPasskey('ES256');
    await signIn(own, () => Buffer.alloc(8));
    await signIn(own);
    const requests = await hooks.until(2);
    const delivered = requests.map(({ body }) => JSON.parse(body) as { event: string; data: Record<string, unknown> });
    expect(new Set(delivered.map(({ event }) => event))).toEqual(new Set(events));
    for (const { data } of delivered) expect(data).toMatchObject({ type: 'passkey', user_id: userId, email: EMAIL });
  });
});

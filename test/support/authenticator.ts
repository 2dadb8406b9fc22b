import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

import { encodeCBOR } from '@levischuck/tiny-cbor';

const FLAGS = { present: 0x01, verified: 0x04, eligible: 0x08, backedUp: 0x10, attested: 0x40 };
const sha256 = (content: string | Uint8Array): Buffer => createHash('sha256').update(content).digest();
export const base64url = (content: string | Uint8Array): string => Buffer.from(content).toString('base64url');

/** The options that a page passes to `navigator.credentials`, as far as authenticators use them. */
export interface CeremonyOptions {
  challenge: string;
  rp?: { id: string };
  rpId?: string;
  user?: { id: string; name: string };
}

/** Deviations of a response from what a browser would send. */
export interface Deviations {
  origin?: string;
  rpId?: string;
  type?: string;
  challenge?: string;
  isVerified?: boolean;
  isPresent?: boolean;
  counter?: number;
  userHandle?: string;
  /** Changes the parts of a response before they are encoded; the private key makes other signatures. */
  change?: (parts: { clientData: Buffer; authenticatorData: Buffer; signature: Buffer }, key: KeyObject) => void;
}

/** A software authenticator with one credential (Web Authentication level 3, ES256). */
export interface Authenticator {
  credentialId: string;
  /** The COSE key in base64url. */
  publicKey: string;
  userHandle: string;
  counter: number;
  /** The response to `navigator.credentials.create()` as JSON. */
  create: (options: CeremonyOptions, deviations?: Deviations & { attestationObject?: Uint8Array }) => string;
  /** The response to `navigator.credentials.get()` as JSON. */
  get: (options: CeremonyOptions, deviations?: Deviations) => string;
}

/** The algorithms of authenticators (RFC 9053, RFC 8812). */
export type Algorithm = 'ES256' | 'EdDSA' | 'RS256';

const MAKERS = {
  ES256: () => generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  EdDSA: () => generateKeyPairSync('ed25519'),
  RS256: () => generateKeyPairSync('rsa', { modulusLength: 2_048 }),
} as const;

/** Type, algorithm and curve of COSE keys (RFC 9053), and the labels of their numbers. */
const COSE: Readonly<Record<Algorithm, { head: [number, number][]; labels: number[] }>> = {
  ES256: {
    head: [
      [1, 2],
      [3, -7],
      [-1, 1],
    ],
    labels: [-2, -3],
  },
  EdDSA: {
    head: [
      [1, 1],
      [3, -8],
      [-1, 6],
    ],
    labels: [-2],
  },
  RS256: {
    head: [
      [1, 3],
      [3, -257],
    ],
    labels: [-1, -2],
  },
};

/** Writes a public key in COSE. @param numbers x and y, or x, or n and e */
export function encodeCoseKey(algorithm: Algorithm, numbers: readonly Uint8Array[]): Buffer {
  const { head, labels } = COSE[algorithm];
  const members = labels.map((label, at): [number, Uint8Array] => [label, new Uint8Array(numbers[at] ?? [])]);
  return Buffer.from(encodeCBOR(new Map<number, number | Uint8Array>([...head, ...members])));
}

function coseKey(publicKey: KeyObject, algorithm: Algorithm): Buffer {
  const { x, y, n, e } = publicKey.export({ format: 'jwk' });
  const numbers = [x, y, n, e].filter((text) => text !== undefined);
  return encodeCoseKey(
    algorithm,
    numbers.map((text) => Buffer.from(text, 'base64url')),
  );
}

/**
 * Makes an authenticator.
 * @param origin the origin of the pages that it is used on
 * @param verifies false for a security key without PIN or fingerprint
 */
export function authenticator(
  origin: string,
  { verifies = true, algorithm = 'ES256' }: { verifies?: boolean; algorithm?: Algorithm } = {},
): Authenticator {
  const { privateKey, publicKey } = MAKERS[algorithm]();
  const cose = coseKey(publicKey, algorithm);
  const id = randomBytes(32);
  const makeClientData = (type: string, { challenge }: CeremonyOptions, own: Deviations): Buffer =>
    Buffer.from(
      JSON.stringify({
        type: own.type ?? type,
        challenge: own.challenge ?? challenge,
        origin: own.origin ?? origin,
        crossOrigin: false,
      }),
    );
  const makeHead = (rpId: string, flags: number, own: Deviations): Buffer => {
    const user = (own.isPresent === false ? 0 : FLAGS.present) | ((own.isVerified ?? verifies) ? FLAGS.verified : 0);
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(own.counter ?? made.counter);
    return Buffer.concat([sha256(own.rpId ?? rpId), Buffer.from([user | flags]), counter]);
  };
  const respond = (response: Record<string, unknown>): string =>
    JSON.stringify({
      id: made.credentialId,
      rawId: made.credentialId,
      type: 'public-key',
      response,
      clientExtensionResults: {},
    });
  const made: Authenticator = {
    credentialId: base64url(id),
    publicKey: base64url(cose),
    userHandle: '',
    counter: 0,
    create(options, own = {}) {
      made.userHandle = options.user?.id ?? '';
      const length = Buffer.alloc(2);
      length.writeUInt16BE(id.length);
      const head = makeHead(options.rp?.id ?? '', FLAGS.attested, own);
      const authData = Buffer.concat([head, Buffer.alloc(16), length, id, cose]);
      const attestation = new Map<string, unknown>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', new Uint8Array(authData)],
      ]);
      const object = own.attestationObject ?? encodeCBOR(attestation as never);
      return respond({
        clientDataJSON: base64url(makeClientData('webauthn.create', options, own)),
        attestationObject: base64url(object),
        transports: ['internal'],
      });
    },
    get(options, own = {}) {
      made.counter += 1;
      const authenticatorData = makeHead(options.rpId ?? '', 0, own);
      const clientData = makeClientData('webauthn.get', options, own);
      const signed = Buffer.concat([authenticatorData, sha256(clientData)]);
      const parts = {
        clientData,
        authenticatorData,
        signature: sign(algorithm === 'EdDSA' ? null : 'sha256', signed, privateKey),
      };
      own.change?.(parts, privateKey);
      return respond({
        clientDataJSON: base64url(parts.clientData),
        authenticatorData: base64url(parts.authenticatorData),
        signature: base64url(parts.signature),
        userHandle: own.userHandle ?? made.userHandle,
      });
    },
  };
  return made;
}

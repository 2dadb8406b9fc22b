import { createHash } from 'node:crypto';
import { toBytes, decrypt, encrypt, keyBytes } from './cipher.ts';
import { SealedValueError } from './errors.ts';
import { KeyCache } from './key-cache.ts';
import { type KeyScope, type KeyWrapper, sortedPairs } from './key-wrapper.ts';

/** The options of envelopes: their keys and the caching of these. */
export interface EnvelopeOptions<Scope extends KeyScope = KeyScope> {
  /** Wraps the data keys; `kmsKeyWrapper` unless the scope's owner holds the key elsewhere. */
  wrapper: KeyWrapper<Scope>;
  /** The clock, in milliseconds. */
  now: () => number;
  /** Time in ms for which a data key is cached; a disabled key stops working within this time. 60,000 by default. */
  maxAgeMs?: number;
  /** Maximum values encrypted under one data key. Default 10,000. */
  maxUses?: number;
  /** Maximum data keys in memory for encryption, and the same for decryption. Default 1,000. */
  maxKeys?: number;
}

/**
 * Encrypts secrets that must be decrypted later. The scope and the record's id are authenticated, so a copy in another
 * record, organization, environment or purpose cannot be decrypted. Every function throws KeyServiceUnavailable (503 with
 * Retry-After) and KeyRejected.
 */
export interface Envelopes<Scope extends KeyScope = KeyScope> {
  /**
   * Encrypts a value.
   * @returns a blob that is longer than the plaintext by 47 bytes and the wrapped key: about 230 with KMS
   */
  seal(scope: Scope, recordId: string, plaintext: string | Uint8Array): Promise<Uint8Array>;
  /**
   * Decrypts a value to bytes.
   * @throws SealedValueError for a blob of another scope or record
   */
  open(scope: Scope, recordId: string, sealed: Uint8Array): Promise<Uint8Array>;
  /** Decrypts a value to text, like `open`. */
  openText(scope: Scope, recordId: string, sealed: Uint8Array): Promise<string>;
}

const format = 1;
const keyIdBytes = 16;
const lengthAt = 1 + keyIdBytes;
const wrappedAt = lengthAt + 2;

/**
 * Envelope encryption: a value under a data key of its scope, the data key under the wrapper's key.
 *
 * | Offset     | Bytes | What                                                                  |
 * |------------|-------|-----------------------------------------------------------------------|
 * | 0          | 1     | format, 1                                                             |
 * | 1          | 16    | key id: the first 16 bytes of the wrapped key's SHA-256               |
 * | 17         | 2     | w, length of the wrapped key, big-endian                              |
 * | 19         | w     | wrapped data key                                                      |
 * | 19 + w     | 12    | nonce                                                                 |
 * | 31 + w     | n     | AES-256-GCM ciphertext, as long as the plaintext                      |
 * | 31 + w + n | 16    | tag                                                                   |
 *
 * Additional data: everything before the nonce, then the JSON array of environment id, organization id or null,
 * purpose, the pairs of the scope's context (if any) sorted by name, and record id.
 */
export function createEnvelopes<Scope extends KeyScope = KeyScope>(options: EnvelopeOptions<Scope>): Envelopes<Scope> {
  const { wrapper, now, maxAgeMs = 60_000, maxUses = 10_000, maxKeys = 1_000 } = options;
  const sealing = new KeyCache<SealingKey>({ now, maxAgeMs, maxUses, maxKeys });
  const opening = new KeyCache<{ plaintext: Uint8Array }>({ now, maxAgeMs, maxUses: Infinity, maxKeys });

  async function open(scope: Scope, recordId: string, sealed: Uint8Array): Promise<Uint8Array> {
    const { header, keyId, wrapped, rest } = parse(sealed);
    const load = async () => ({ plaintext: checkedKey(await wrapper.unwrap(scope, wrapped)) });
    return opening.use(openingId(keyId, scope), load, ({ plaintext }) =>
      decrypt(plaintext, additional(header, scope, recordId), rest),
    );
  }

  async function newSealingKey(scope: Scope): Promise<SealingKey> {
    const { plaintext, wrapped } = await wrapper.generate(scope);
    const key = { plaintext: checkedKey(plaintext), header: makeHeader(wrapped) };
    // A copy is cached for decryption too, since each cache overwrites the keys that it evicts.
    const copy = async () => ({ plaintext: plaintext.slice() });
    await opening.use(openingId(hashWrappedKey(wrapped), scope), copy, () => undefined);
    return key;
  }

  return {
    async seal(scope, recordId, plaintext) {
      return sealing.use(
        scopeText(scope),
        () => newSealingKey(scope),
        (key) => {
          const sealed = encrypt(key.plaintext, additional(key.header, scope, recordId), toBytes(plaintext));
          return Buffer.concat([key.header, sealed]);
        },
      );
    },
    open,
    async openText(scope, recordId, sealed) {
      return Buffer.from(await open(scope, recordId, sealed)).toString('utf8');
    },
  };
}

interface SealingKey {
  plaintext: Uint8Array;
  /** The bytes before the nonce, which are the same for every value encrypted with this key. */
  header: Uint8Array;
}

function makeHeader(wrapped: Uint8Array): Buffer {
  if (wrapped.byteLength === 0 || wrapped.byteLength > 0xffff) throw new RangeError('wrapped key out of bounds');
  const length = Buffer.alloc(2);
  length.writeUInt16BE(wrapped.byteLength);
  return Buffer.concat([Buffer.from([format]), hashWrappedKey(wrapped), length, wrapped]);
}

function parse(sealed: Uint8Array) {
  const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength);
  if (bytes.length < wrappedAt || bytes[0] !== format) throw new SealedValueError();
  const end = wrappedAt + bytes.readUInt16BE(lengthAt);
  const wrapped = bytes.subarray(wrappedAt, end);
  const keyId = bytes.subarray(1, lengthAt);
  // The header is checked before the wrapper is called, so that a damaged blob costs no request, and a false id cannot select a cached key.
  if (end > bytes.length || !hashWrappedKey(wrapped).equals(keyId)) throw new SealedValueError();
  return { header: bytes.subarray(0, end), keyId, wrapped, rest: bytes.subarray(end) };
}

function hashWrappedKey(wrapped: Uint8Array): Buffer {
  return createHash('sha256').update(wrapped).digest().subarray(0, keyIdBytes);
}

/** The scope is part of the cache key: a key that is cached for one scope must not be used in another. */
function openingId(keyId: Buffer, scope: KeyScope): string {
  return `${keyId.toString('hex')} ${scopeText(scope)}`;
}

function checkedKey(key: Uint8Array): Uint8Array {
  if (key.byteLength !== keyBytes) throw new RangeError('a data key has 32 bytes');
  return key;
}

function additional(header: Uint8Array, scope: KeyScope, recordId: string): Uint8Array {
  return Buffer.concat([header, Buffer.from(scopeText(scope, recordId))]);
}

/** The JSON form separates the parts of the scope. */
function scopeText({ environmentId, organizationId, purpose, context }: KeyScope, ...more: string[]): string {
  const pairs = context === undefined ? [] : [sortedPairs(context)];
  return JSON.stringify([environmentId, organizationId ?? null, purpose, ...pairs, ...more]);
}

import { hkdfSync, randomBytes } from 'node:crypto';
import { toBytes, decrypt, encrypt, keyBytes } from './cipher.ts';
import { SealedValueError } from './errors.ts';

/** The format, which differs from that of envelopes, so that neither is read as the other. */
const format = 2;
const saltBytes = 16;

/**
 * Encrypts a value under a secret that its reader presents, so that a copy of the table does not reveal it: an
 * idempotent response under the caller's credential, a successor under the refresh token that it replaces.
 *
 * | Offset | Bytes | What                                            |
 * |--------|-------|-------------------------------------------------|
 * | 0      | 1     | format, 2                                       |
 * | 1      | 16    | salt of the key derivation                      |
 * | 17     | 12    | nonce                                           |
 * | 29     | n     | AES-256-GCM ciphertext, as long as the plaintext |
 * | 29 + n | 16    | tag                                             |
 *
 * Key: HKDF-SHA256 (RFC 5869) of the secret parts. Format, salt and `info` are the additional data.
 * @param secretParts secrets of full entropy (HKDF is not a password hash); their order and boundaries matter
 * @param info the purpose and place of the value, for example `idempotency` and the row's key
 */
export function derivedSeal(secretParts: readonly string[], info: string, plaintext: string | Uint8Array): Uint8Array {
  const header = Buffer.concat([Buffer.from([format]), randomBytes(saltBytes)]);
  return underDerivedKey(secretParts, info, header, (key, additional) =>
    Buffer.concat([header, encrypt(key, additional, toBytes(plaintext))]),
  );
}

/**
 * Decrypts the output of `derivedSeal` under the same secret and info.
 * @throws SealedValueError for anything else
 */
export function derivedOpen(secretParts: readonly string[], info: string, sealed: Uint8Array): Uint8Array {
  const header = sealed.subarray(0, 1 + saltBytes);
  if (header.byteLength !== 1 + saltBytes || header[0] !== format) throw new SealedValueError();
  return underDerivedKey(secretParts, info, header, (key, additional) =>
    decrypt(key, additional, sealed.subarray(header.byteLength)),
  );
}

function underDerivedKey<T>(
  secretParts: readonly string[],
  info: string,
  header: Uint8Array,
  work: (key: Uint8Array, additional: Uint8Array) => T,
): T {
  // The JSON form separates the parts, so that ['ab', 'c'] and ['a', 'bc'] are different secrets.
  const secret = Buffer.from(JSON.stringify(secretParts));
  // HKDF's own info is limited to 1,024 bytes here, and the whole of it is authenticated as additional data.
  const key = new Uint8Array(hkdfSync('sha256', secret, header.subarray(1), 'gatehouse derived seal', keyBytes));
  try {
    return work(key, Buffer.concat([header, Buffer.from(info)]));
  } finally {
    key.fill(0);
    secret.fill(0);
  }
}

import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { SealedValueError } from './errors.ts';

/** Bytes of an AES-256 key, of a GCM nonce and of a GCM tag (NIST SP 800-38D, sections 5.2.1.1 and 5.2.1.2). */
export const keyBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;

const algorithm = 'aes-256-gcm';

/** Encodes a text as UTF-8; bytes are returned unchanged. */
export function toBytes(content: string | Uint8Array): Uint8Array {
  return typeof content === 'string' ? Buffer.from(content) : content;
}

/**
 * Encrypts by AES-256-GCM with a random nonce, and returns nonce, ciphertext and tag. A key may be used for at most 2^32
 * calls (SP 800-38D section 8.3); the callers use it far less often.
 */
export function encrypt(key: Uint8Array, additional: Uint8Array, plaintext: Uint8Array): Buffer {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(algorithm, key, nonce, { authTagLength: tagBytes }).setAAD(additional);
  return Buffer.concat([nonce, cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]);
}

/**
 * Decrypts the output of `encrypt` with the same key and additional data.
 * @throws SealedValueError for anything else
 */
export function decrypt(key: Uint8Array, additional: Uint8Array, sealed: Uint8Array): Buffer {
  if (sealed.byteLength < nonceBytes + tagBytes) throw new SealedValueError();
  const end = sealed.byteLength - tagBytes;
  const nonce = sealed.subarray(0, nonceBytes);
  const cipher = createDecipheriv(algorithm, key, nonce, { authTagLength: tagBytes }).setAAD(additional);
  cipher.setAuthTag(sealed.subarray(end));
  try {
    return Buffer.concat([cipher.update(sealed.subarray(nonceBytes, end)), cipher.final()]);
  } catch (error) {
    throw new SealedValueError(error);
  }
}

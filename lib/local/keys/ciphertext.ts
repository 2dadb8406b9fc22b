import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { AwsError } from '../aws-json.ts';

/**
 * The format of a symmetric ciphertext: format byte 1, or 2 under a multi-region key; key id (16 bytes), backing key id (32), nonce (12), tag (16),
 * AES-256-GCM output. All bytes before the nonce are authenticated together with the encryption context.
 */
const formats = { uuid: 1, multiRegion: 2 };
/** The beginning of the id of a multi-region key, before 32 hexadecimal digits. */
export const MULTI_REGION = 'mrk-';
const headBytes = 1 + 16 + 32;
const nonceBytes = 12;
const tagBytes = 16;

/** The names and values to which an encryption is bound. */
export type EncryptionContext = Readonly<Record<string, string>>;

/** The keys of a ciphertext. */
export interface Sealed {
  keyId: string;
  materialId: string;
}

/**
 * Encodes a context, so that the same context has the same bytes in any order. Lengths precede texts, so no two contexts
 * have the same bytes.
 */
function additionalData(head: Buffer, context: EncryptionContext): Buffer {
  const pairs = Object.entries(context).map((pair) => pair.map((text) => Buffer.from(text)));
  pairs.sort(([a = Buffer.alloc(0)], [b = Buffer.alloc(0)]) => Buffer.compare(a, b));
  const parts = pairs.flat().flatMap((bytes) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(bytes.length);
    return [length, bytes];
  });
  return Buffer.concat([head, ...parts]);
}

/** Encrypts with a backing key. */
export function seal(sealed: Sealed, secret: Uint8Array, plaintext: Uint8Array, context: EncryptionContext): Buffer {
  const { keyId, materialId } = sealed;
  const isMultiRegion = keyId.startsWith(MULTI_REGION);
  const ids = (isMultiRegion ? keyId.slice(MULTI_REGION.length) : keyId.replaceAll('-', '')) + materialId;
  const format = isMultiRegion ? formats.multiRegion : formats.uuid;
  const head = Buffer.concat([Buffer.of(format), Buffer.from(ids, 'hex')]);
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', secret, nonce).setAAD(additionalData(head, context));
  const body = Buffer.concat([cipher.update(plaintext), cipher.final()]);
  return Buffer.concat([head, nonce, cipher.getAuthTag(), body]);
}

/** Reads the ids of a ciphertext's keys. @throws AwsError InvalidCiphertextException */
export function sealedBy(ciphertext: Buffer): Sealed {
  const isMultiRegion = ciphertext[0] === formats.multiRegion;
  const isKnown = isMultiRegion || ciphertext[0] === formats.uuid;
  if (ciphertext.length < headBytes + nonceBytes + tagBytes || !isKnown) throw invalidCiphertext();
  const hex = ciphertext.toString('hex', 1, 17);
  return {
    keyId: isMultiRegion ? MULTI_REGION + hex : formatUuid(hex),
    materialId: ciphertext.toString('hex', 17, headBytes),
  };
}

function formatUuid(hex: string): string {
  const lengths = [8, 4, 4, 4, 12];
  let at = 0;
  return lengths.map((length) => hex.slice(at, (at += length))).join('-');
}

/** Decrypts under the backing key of a ciphertext. @throws AwsError InvalidCiphertextException */
export function open(ciphertext: Buffer, secret: Uint8Array, context: EncryptionContext): Buffer {
  const bodyAt = headBytes + nonceBytes + tagBytes;
  const nonce = ciphertext.subarray(headBytes, headBytes + nonceBytes);
  const decipher = createDecipheriv('aes-256-gcm', secret, nonce, { authTagLength: tagBytes })
    .setAAD(additionalData(ciphertext.subarray(0, headBytes), context))
    .setAuthTag(ciphertext.subarray(headBytes + nonceBytes, bodyAt));
  try {
    return Buffer.concat([decipher.update(ciphertext.subarray(bodyAt)), decipher.final()]);
  } catch {
    throw invalidCiphertext();
  }
}

/** The error for every ciphertext that cannot be decrypted, which must not reveal which part is wrong. */
export const invalidCiphertext = (): AwsError =>
  new AwsError('InvalidCiphertextException', 'The ciphertext, its key or its encryption context does not fit.');

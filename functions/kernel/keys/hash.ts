import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
const keyOf = (parts: readonly string[], info: string) =>
  Buffer.from(hkdfSync('sha256', parts.join('\n'), '', info, 32));
export function derivedSeal(parts: readonly string[], info: string, plaintext: string | Uint8Array): Uint8Array {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', keyOf(parts, info), nonce);
  const body = Buffer.concat([cipher.update(plaintext as never), cipher.final()]);
  return Buffer.concat([nonce, body, cipher.getAuthTag()]);
}
export function derivedOpen(parts: readonly string[], info: string, sealed: Uint8Array): Uint8Array {
  const bytes = Buffer.from(sealed);
  const decipher = createDecipheriv('aes-256-gcm', keyOf(parts, info), bytes.subarray(0, 12));
  decipher.setAuthTag(bytes.subarray(-16));
  return Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()]);
}

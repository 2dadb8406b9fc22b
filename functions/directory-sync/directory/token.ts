import { crc32 } from '../../kernel/crc32.ts';
import { randomSecret } from '../../kernel/keys/hash.ts';

/** Prefix of tokens, by which secret scanners recognize them. */
const PREFIX = 'scim_';

/** A new token of a directory: 256 random bits and a checksum. */
export function newTokenValue(): string {
  const body = `${PREFIX}${randomSecret(32)}`;
  return body + crc32(body).toString(36).padStart(7, '0');
}

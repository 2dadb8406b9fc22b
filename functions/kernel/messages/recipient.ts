import { normalizeEmail } from '../address.ts';
import { sha256Hex } from '../keys/hash.ts';

/**
 * The name under which a row keeps the address of a mail without showing it: the SHA-256 of the environment and the normalized
 * address, in hexadecimal. Spellings of an address that differ in case have the same.
 */
export const recipientHash = (environmentId: string, address: string): string =>
  sha256Hex(JSON.stringify([environmentId, normalizeEmail(address) ?? address.toLowerCase()]));

/**
 * The functions that read XML: the parser, signatures and decryption are some 230 KiB. A deployed function loads them as a
 * separate file with the first response or metadata document (`lib/stack/apart.ts`), so other calls do not wait for them.
 */
import { readMetadata } from './identity-provider-metadata.ts';
import { verifyResponse } from './response.ts';

/** The functions that read XML that identity providers sent. */
export const xmlReader = {
  readMetadata,
  verifyResponse,
} as const;

export type XmlReader = typeof xmlReader;

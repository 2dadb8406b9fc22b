import * as z from 'zod';

import { sha256Hex } from '../../../kernel/keys/hash.ts';

/** A position of a search, with the request that it belongs to. */
interface Position {
  after: string;
  limit: number;
  /** The digest of the entities in the request. */
  digest: string;
}

const Token = z.tuple([z.string().max(200), z.int().min(1), z.string()]);

/** A digest of the parts of a request that select its results, by which a token of another search is rejected. */
export const computeDigest = (parts: readonly (string | undefined)[]): string =>
  sha256Hex(JSON.stringify(parts)).slice(0, 16);

export const encodeToken = ({ after, limit, digest }: Position): string =>
  Buffer.from(JSON.stringify([after, limit, digest])).toString('base64url');

/** The position in a token; undefined for a text that no response contained. */
export function decodeToken(token: string): Position | undefined {
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(token, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
  const parsed = Token.safeParse(value);
  if (!parsed.success) return undefined;
  const [after, limit, digest] = parsed.data;
  return { after, limit, digest };
}

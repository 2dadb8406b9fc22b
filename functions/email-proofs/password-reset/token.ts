import { environmentIdOf } from '../../kernel/authentication/api-key.ts';
import { type MintedKey, mintKey, readKey } from '../../kernel/authentication/secret-key.ts';
import { ulidOf } from '../../kernel/id-format.ts';
import { constantTimeEqual } from '../../kernel/keys/hash.ts';
import { type PasswordResetRecord, passwordResets } from './entity.ts';

/** Prefix of the tokens, after which the environment's ULID stands, the record's, 256 random bits and a checksum. */
const PREFIX = 'reset_';
const ULID_LENGTH = 26;

/** A new token of a record. */
export const mintResetToken = (environmentId: string, id: string): MintedKey =>
  mintKey(`${PREFIX}${ulidOf(environmentId)}`, ulidOf(id));

/** Where a token leads. */
export interface ResetPlace {
  environmentId: string;
  id: string;
  hash: string;
}

/** The record that a well-formed token names, without reading anything; says nothing of whether the token is real. */
export function placeOfResetToken(token: string): ResetPlace | undefined {
  const prefix = token.slice(0, PREFIX.length + ULID_LENGTH);
  const key = prefix.startsWith(PREFIX) ? readKey(prefix, token) : undefined;
  const environmentId = environmentIdOf(prefix.slice(PREFIX.length));
  return key && { environmentId, id: `password_reset_${key.ulid}`, hash: key.hash };
}

/** The reset whose token this is, of that environment, whatever became of it: one strongly consistent GetItem. */
export async function findPasswordReset(
  environmentId: string,
  token: string,
): Promise<PasswordResetRecord | undefined> {
  const place = placeOfResetToken(token);
  if (place?.environmentId !== environmentId) return undefined;
  const record = await passwordResets.get(environmentId, place.id);
  return record !== undefined && constantTimeEqual(record.tokenHash, place.hash) ? record : undefined;
}

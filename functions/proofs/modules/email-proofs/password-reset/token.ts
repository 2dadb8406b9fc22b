import { environmentIdOf } from '../../../../kernel/authentication/api-key.ts';
import { type MintedKey, mintKey, readKey } from '../../../../kernel/authentication/secret-key.ts';
import { readUlid } from '../../../../kernel/id-format.ts';
import { constantTimeEqual } from '../../../../kernel/keys/hash.ts';
import { type PasswordResetRecord, passwordResets } from './entity.ts';

/** Prefix of the tokens, followed by the ULIDs of the environment and the record, 256 random bits and a checksum. */
const PREFIX = 'reset_';
const ULID_LENGTH = 26;

/** Makes a new token of a record. */
export const mintResetToken = (environmentId: string, id: string): MintedKey =>
  mintKey(`${PREFIX}${readUlid(environmentId)}`, readUlid(id));

/** The environment and record of a token. */
export interface ResetPlace {
  environmentId: string;
  id: string;
  hash: string;
}

/** Reads the record's id from a well-formed token, without a read of the table; it does not verify the token. */
export function placeOfResetToken(token: string): ResetPlace | undefined {
  const prefix = token.slice(0, PREFIX.length + ULID_LENGTH);
  const key = prefix.startsWith(PREFIX) ? readKey(prefix, token) : undefined;
  const environmentId = environmentIdOf(prefix.slice(PREFIX.length));
  return key && { environmentId, id: `password_reset_${key.ulid}`, hash: key.hash };
}

/** Finds the reset of a token in its environment, in any state, by one strongly consistent GetItem. */
export async function findPasswordReset(
  environmentId: string,
  token: string,
): Promise<PasswordResetRecord | undefined> {
  const place = placeOfResetToken(token);
  if (place?.environmentId !== environmentId) return undefined;
  const record = await passwordResets.get(environmentId, place.id);
  return record !== undefined && constantTimeEqual(record.tokenHash, place.hash) ? record : undefined;
}

import { randomBytes } from 'node:crypto';

import { sha256Hex } from '../../../kernel/keys/hash.ts';
import { ownerKey } from '../../../kernel/storage/record.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import { recoveryCodes } from './entity.ts';

/** Number of codes that a user gets at once. */
const CODES = 10;

/** Crockford's base32 in lower case, without letters that look like digits. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/** Makes ten recovery codes of 80 random bits, in four groups of four characters. Nothing is stored. */
export const makeRecoveryCodes = (): string[] =>
  Array.from({ length: CODES }, () => {
    const text = Array.from(randomBytes(16), (byte) => ALPHABET.charAt(byte % 32)).join('');
    return text.replace(/(.{4})(?=.)/g, '$1-');
  });

/** The stored form of a code, in whichever way its user has typed it. */
export const hashRecoveryCode = (environmentId: string, userId: string, code: string): string => {
  const typed = code.toLowerCase().replace(/[^a-z0-9]/g, '');
  return sha256Hex([environmentId, userId, typed.replaceAll('o', '0').replace(/[il]/g, '1')].join(' '));
};

/** Stages the recovery codes of a user, which replace all earlier ones. */
export async function stageRecoveryCodes(
  unit: Pick<Unit, 'stage'>,
  { environmentId, id: userId }: { environmentId: string; id: string },
  codes: readonly string[],
): Promise<void> {
  const hashes = codes.map((code) => hashRecoveryCode(environmentId, userId, code));
  const former = await recoveryCodes.get(environmentId, userId);
  const { write } =
    former === undefined
      ? recoveryCodes.create({ environmentId, id: userId, owner: ownerKey('user', userId), hashes })
      : recoveryCodes.revise(former, { hashes });
  unit.stage(write);
}

/** Stages the removal of a user's recovery codes, if there are any. */
export async function stageRemovalOfRecoveryCodes(
  unit: Pick<Unit, 'stage'>,
  environmentId: string,
  userId: string,
): Promise<void> {
  const former = await recoveryCodes.get(environmentId, userId);
  if (former !== undefined) unit.stage(recoveryCodes.remove(former));
}

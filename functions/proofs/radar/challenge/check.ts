import { sha256Hex } from '../../../kernel/keys/hash.ts';
import type { CodeOutcome } from '../../../kernel/one-time-code/code.ts';
import { useCode } from '../../../kernel/one-time-code/stage.ts';
import { phoneNumber } from '../../../kernel/address.ts';
import { ownerKey } from '../../../kernel/storage/record.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import { type RadarChallengeRecord, radarChallenges, radarPhones } from './entity.ts';
import { codePlace } from './stage.ts';

/** The owner that a challenge must have: the user of the pending sign-in, with the data that the caller sends. */
export interface RadarBinding {
  userId: string;
  /** The token of the pending sign-in. */
  pendingToken: string;
  /** The phone number to which, according to the caller, the code was sent. */
  phoneNumber?: string | undefined;
}

/** `not_found`: the challenge does not exist, or belongs to another user, sign-in or phone number. */
export type RadarOutcome = CodeOutcome | 'not_found';

/**
 * Checks the code of a challenge, and stages its use if it is correct, in two round trips and the commit. Attempts are
 * counted before the code is compared, five in total. A challenge is `expired` after a newer one of its kind was sent. A
 * phone number that is proven for the first time is stored as the user's.
 * @param id of the challenge: `radar_challenge_…` or the verification id `vrf_…`
 */
export async function checkRadarChallenge(
  unit: Unit<never>,
  environmentId: string,
  id: string,
  code: string,
  binding: RadarBinding,
): Promise<RadarOutcome> {
  const challenge = await radarChallenges.get(environmentId, id);
  if (challenge === undefined || !isBound(challenge, binding)) return 'not_found';
  const { kind, userId, phoneNumber: number } = challenge;
  const { outcome } = await useCode(unit, codePlace(environmentId, kind, userId), code, id);
  if (outcome === 'valid' && number !== undefined) await keepPhone(unit, environmentId, userId, number);
  return outcome;
}

function isBound(challenge: RadarChallengeRecord, binding: RadarBinding): boolean {
  const { kind, userId, pendingHash, phoneNumber: number } = challenge;
  if (userId !== binding.userId) return false;
  if (pendingHash !== undefined && pendingHash !== sha256Hex(binding.pendingToken)) return false;
  if (binding.phoneNumber === undefined) return true;
  return kind === 'sms' && phoneNumber(binding.phoneNumber) === number;
}

async function keepPhone(unit: Unit<never>, environmentId: string, userId: string, number: string): Promise<void> {
  if ((await radarPhones.get(environmentId, userId)) !== undefined) return;
  const owner = ownerKey('user', userId);
  unit.stage(radarPhones.create({ environmentId, id: userId, owner, phoneNumber: number }).write);
}

/** The phone number that a user has proven, in E.164 form, by one strongly consistent GetItem. */
export async function findRadarPhone(environmentId: string, userId: string): Promise<string | undefined> {
  return (await radarPhones.get(environmentId, userId))?.phoneNumber;
}

/** Removes a user's phone number, which may belong to an earlier, unverified owner of the address. */
export async function stageRemovalOfRadarPhone(
  unit: Unit<never>,
  environmentId: string,
  userId: string,
): Promise<void> {
  const phone = await radarPhones.get(environmentId, userId);
  if (phone !== undefined) unit.stage(radarPhones.remove(phone));
}

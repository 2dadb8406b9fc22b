import { sha256Hex } from '../../kernel/keys/hash.ts';
import type { CodeOutcome } from '../../kernel/one-time-code/code.ts';
import { useCode } from '../../kernel/one-time-code/entity.ts';
import { phoneNumber } from '../../kernel/address.ts';
import { ownerKey } from '../../kernel/storage/record.ts';
import type { Unit } from '../../kernel/storage/unit.ts';
import { type RadarChallengeRecord, radarChallenges, radarPhones } from './entity.ts';
import { codePlace } from './stage.ts';

/** What a challenge has to belong to: the user of the pending sign-in, and what else is known of it. */
export interface RadarBinding {
  userId: string;
  /** The token that goes on with the sign-in. */
  pendingToken: string;
  /** What the caller says the code was sent to. */
  phoneNumber?: string | undefined;
}

/** `not_found`: there is no such challenge, or it is of another user, sign-in or telephone. */
export type RadarOutcome = CodeOutcome | 'not_found';

/**
 * Tries the code of a challenge, and stages its use when it is right: two round trips and the commit. Tries are counted
 * before they are looked at, five in all; a challenge after which a newer one of its kind was sent is `expired`. A
 * telephone that is shown for the first time is the user's from then on.
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

/** The telephone that a user has shown to have, in E.164 form: one strongly consistent GetItem. */
export async function radarPhoneOf(environmentId: string, userId: string): Promise<string | undefined> {
  return (await radarPhones.get(environmentId, userId))?.phoneNumber;
}

/** Forgets a user's telephone, for the removal of what was there before an address was proved. */
export async function stageRemovalOfRadarPhone(
  unit: Unit<never>,
  environmentId: string,
  userId: string,
): Promise<void> {
  const phone = await radarPhones.get(environmentId, userId);
  if (phone !== undefined) unit.stage(radarPhones.remove(phone));
}

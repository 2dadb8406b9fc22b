import { computeNetwork } from '../../../kernel/limits/client-network.ts';
import type { Actor } from '../../../kernel/authentication/caller.ts';
import { internetAddress } from '../../../kernel/internet-address.ts';
import { log } from '../../../kernel/log.ts';
import { applyWork } from '../../../kernel/storage/background.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import type { Write } from '../../../kernel/storage/write.ts';
import { canonicalEmail } from '../engine/email.ts';
import type { Place } from '../engine/travel.ts';
import { successWrites } from '../profile/count.ts';
import { attempts, type AttemptRecord } from './entity.ts';

/**
 * Stores an attempt by one PutItem. If this fails the verdict is the same, but the attempt can be neither explained nor
 * updated.
 */
export async function storeAttempt(environmentId: string, actor: Actor, write: Write): Promise<void> {
  try {
    await applyWork(environmentId, actor, async (unit) => unit.stage(write));
  } catch (error) {
    log.warn('an attempt was assessed and not stored', { error });
  }
}

/**
 * Stages the success of an attempt or of its challenge. The first one stores the device, network and location as known; a
 * repetition stages nothing.
 */
export function stageSuccess(
  unit: Pick<Unit, 'stage'>,
  record: AttemptRecord,
  success: { challenge?: 'success' | undefined; attempt?: 'success' | undefined },
): void {
  const isTaught = success.attempt !== undefined && record.attemptStatus === undefined;
  const isProven = success.challenge !== undefined && record.challengeStatus === undefined;
  if (!isTaught && !isProven) return;
  const changes = {
    attemptStatus: record.attemptStatus ?? success.attempt,
    challengeStatus: record.challengeStatus ?? success.challenge,
  };
  unit.stage(attempts.revise(record, changes).write);
  if (isTaught) unit.stage(teachingWrites(record));
}

/** The writes that store the device, network and location of a successful attempt as known. */
export function teachingWrites({ environmentId, email, ipAddress, device, userAgent, place }: AttemptRecord): Write[] {
  const address = ipAddress === undefined ? undefined : internetAddress(ipAddress.trim().toLowerCase());
  const subjects = {
    environmentId,
    email: canonicalEmail(email) ?? email.trim().toLowerCase(),
    network: address === undefined ? undefined : computeNetwork(address),
    device,
    userAgent,
  };
  return successWrites(subjects, place as Place | undefined);
}

import { newId } from '../../../kernel/ids.ts';
import { clock } from '../../../kernel/clock.ts';
import { ownerKey } from '../../../kernel/storage/record.ts';
import type { Write } from '../../../kernel/storage/write.ts';
import { assess, type Assessment } from '../engine/evaluate.ts';
import type { VersionedRules } from '../rule-set/stored.ts';
import { attempts, type AttemptRecord, STORED_SECONDS, storedText } from './entity.ts';
import { packFacts, computeResult } from './facts.ts';
import type { Measured } from './measure.ts';

/** An assessed attempt: its row, and the write that stores it. */
export interface AssessedAttempt {
  record: AttemptRecord;
  write: Write;
  assessment: Assessment;
}

/**
 * Assesses an attempt by its facts and makes its row.
 * @param prefix `radar_att` for the API, `radar_auth_attempt` for sign-ins of this service
 * @param userId the user of this service, with which the attempt is erased
 */
export function assessAttempt(
  { data, facts, subjects, place }: Measured,
  { version, ruleSet }: VersionedRules,
  prefix: 'radar_att' | 'radar_auth_attempt',
  userId?: string,
): AssessedAttempt {
  const assessment = assess(ruleSet, facts);
  const { record, write } = attempts.create({
    environmentId: data.environmentId,
    id: newId(prefix),
    owner: userId === undefined ? undefined : ownerKey('user', userId),
    expiresAt: clock.seconds() + STORED_SECONDS,
    action: data.action,
    method: data.method,
    email: data.email,
    ipAddress: storedText(data.ipAddress),
    userAgent: storedText(data.userAgent),
    device: subjects.device,
    place,
    facts: packFacts(facts),
    ...computeResult(assessment),
    ruleVersion: version,
  });
  return { record, write, assessment };
}

import { newId } from '../../kernel/ids.ts';
import { clock } from '../../kernel/clock.ts';
import { ownerKey } from '../../kernel/storage/record.ts';
import type { Write } from '../../kernel/storage/write.ts';
import { type Facts, judge, type JudgedRule, type Judgement } from '../engine/evaluate.ts';
import { type PackedSignals, packSignals, unpackSignals } from '../engine/signals.ts';
import type { VersionedRules } from '../rule-set/settings.ts';
import { attempts, type AttemptRecord, STORED_SECONDS } from './entity.ts';
import type { Measured } from './measure.ts';

/** The longest texts of an attempt that are stored. */
const MOST_TEXT = 512;

/** A judged attempt: its row, and the write that stores it. */
export interface Judged {
  record: AttemptRecord;
  write: Write;
  judgement: Judgement;
}

/**
 * Judges a measured attempt and makes its row.
 * @param prefix `radar_att` for the API, `radar_auth_attempt` for sign-ins of this service
 * @param userId The user of this service, with which the attempt is erased.
 */
export function judgeAttempt(
  { data, facts, subjects, place }: Measured,
  { version, ruleSet }: VersionedRules,
  prefix: 'radar_att' | 'radar_auth_attempt',
  userId?: string,
): Judged {
  const judgement = judge(ruleSet, facts);
  const { record, write } = attempts.create({
    environmentId: data.environmentId,
    id: newId(prefix),
    owner: userId === undefined ? undefined : ownerKey('user', userId),
    expiresAt: clock.seconds() + STORED_SECONDS,
    action: data.action,
    method: data.method,
    email: data.email,
    ipAddress: data.ipAddress?.slice(0, MOST_TEXT),
    userAgent: data.userAgent?.slice(0, MOST_TEXT),
    device: subjects.device,
    place,
    facts: packFacts(facts),
    ...resultOf(judgement),
    ruleVersion: version,
  });
  return { record, write, judgement };
}

/** Facts as they are stored. */
export type PackedFacts = Omit<Facts, 'signals'> & PackedSignals;

const packFacts = ({ signals, ...rest }: Facts): PackedFacts => ({ ...rest, ...packSignals(signals) });

/** The facts of a stored attempt. */
export function factsOf({ facts }: AttemptRecord): Facts {
  const { values, absent, ...rest } = facts as PackedFacts;
  return { ...rest, signals: unpackSignals({ values, absent }) };
}

/** The members of a judgement that are stored: of rules that were simply not true only the names. */
export const resultOf = ({ verdict, reason, control, blocklistType, controls, rules }: Judgement) => {
  const isNotable = ({ matched, exemptBy, notEvaluated }: JudgedRule) =>
    matched || exemptBy.length > 0 || notEvaluated.length > 0;
  return {
    ...{ verdict, reason, control, blocklistType, controls },
    rules: rules.filter(isNotable),
    unmatched: rules.filter((rule) => !isNotable(rule)).map(({ name }) => name),
  };
};

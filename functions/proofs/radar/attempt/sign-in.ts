import { awaitAll } from '../../../kernel/concurrency.ts';
import { findSettings } from '../../../kernel/environment-settings.ts';
import { internetAddress } from '../../../kernel/internet-address.ts';
import { log } from '../../../kernel/log.ts';
import { ownerKey } from '../../../kernel/storage/record.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import type { Control, ListType, Verdict } from '../engine/controls.ts';
import { findHits, readLists } from '../list/match.ts';
import { findRules } from '../rule-set/find.ts';
import { radarSettings } from '../rule-set/settings.ts';
import { findContinued, isOfClient } from './continued.ts';
import { attempts, type AttemptRecord } from './entity.ts';
import { assessAttempt } from './assess.ts';
import { type AttemptData, measure } from './measure.ts';
import { stageSuccess, teachingWrites } from './stage.ts';

/** The assessment of a sign-in of this service. */
export interface SignInRisk {
  verdict: Verdict;
  control: Control | undefined;
  blocklistType: ListType | undefined;
  /** The attempt, if the settings have it counted and stored; `isStored` is true if it continues one of an earlier call. */
  attempt?: { record: AttemptRecord; isStored: boolean } | undefined;
}

/**
 * Has Radar assess a sign-in, by the lists only or by the whole rule set, which counts the attempt. It takes one round
 * trip, and an attempt is counted once in a call. If Radar's data cannot be read, no sign-in is rejected. An attempt that is
 * continued decides only for the client that it was counted for, and only while no block list names that client: anything
 * else is assessed again, and the stricter verdict applies.
 * @param continuedId the attempt that an earlier call has counted, for the same mailbox; each can be continued once, so
 * that guesses are counted
 * @returns undefined if the settings do not enable Radar
 */
export async function assessSignIn(
  unit: Pick<Unit, 'once'>,
  data: AttemptData,
  continuedId?: string,
): Promise<SignInRisk | undefined> {
  const { environmentId } = data;
  const { sign_in: asked } = await findSettings(environmentId, radarSettings);
  if (asked === 'off') return undefined;
  if (asked === 'lists') return assessLists(data);
  const [continued, listed] =
    continuedId === undefined ? [] : await awaitAll([findContinued(data, continuedId), assessLists(data)]);
  if (continued !== undefined && isOfClient(continued, data) && listed?.verdict === 'allow')
    return { ...readRisk(continued), attempt: { record: continued, isStored: true } };
  const [measured, { version, ruleSet }] = await awaitAll([
    unit.once('radar.measure', () => measure(data)),
    findRules(environmentId),
  ]);
  // New devices are assessed by the setting `new_device`, with the devices of sign-ins.
  const controls = { ...ruleSet.controls, unrecognized_device: { mode: 'off' as const, threshold: 100 } };
  const { record } = assessAttempt(measured, { version, ruleSet: { ...ruleSet, controls } }, 'radar_auth_attempt');
  const risks = [readRisk(record), ...(continued === undefined ? [] : [readRisk(continued)])];
  return { ...strictest(risks), attempt: { record, isStored: false } };
}

const SEVERITY = ['allow', 'challenge', 'block'] as const satisfies readonly Verdict[];

const strictest = (risks: readonly SignInRisk[]): SignInRisk =>
  risks.reduce((one, other) => (SEVERITY.indexOf(other.verdict) > SEVERITY.indexOf(one.verdict) ? other : one));

const readRisk = ({ verdict, control, blocklistType }: AttemptRecord): SignInRisk => ({
  verdict,
  control: control as Control | undefined,
  blocklistType: blocklistType as ListType | undefined,
});

/** Compares an attempt with the block and allow lists; nothing is counted. If they cannot be read, the result is a challenge. */
export async function assessLists({
  environmentId,
  email,
  ipAddress,
  userAgent,
  device,
}: Pick<AttemptData, 'environmentId' | 'email' | 'ipAddress' | 'userAgent' | 'device'>): Promise<SignInRisk> {
  const address = ipAddress === null ? undefined : internetAddress(ipAddress.trim().toLowerCase());
  const listed = { address, email, userAgent, device };
  const allowed = { verdict: 'allow' as const, control: undefined, blocklistType: undefined };
  try {
    const [lists, { ruleSet }] = await awaitAll([readLists(environmentId, listed), findRules(environmentId)]);
    const { allow, block } = findHits(lists, listed);
    const { mode } = ruleSet.controls.restriction;
    const [blocklistType] = allow.length === 0 ? block : [];
    if (blocklistType === undefined || (mode !== 'block' && mode !== 'challenge')) return allowed;
    return { verdict: mode, control: 'restriction', blocklistType };
  } catch (error) {
    log.warn('a sign-in was not compared with the lists of Radar', { error });
    return { verdict: 'challenge', control: 'restriction', blocklistType: undefined };
  }
}

/**
 * Stages the attempt of a sign-in with its result: it is stored, or marked as continued. After a success, the device, the
 * network and the location are stored as known.
 * @param userId the user of the sign-in, with which the attempt is erased
 */
export function stageSignInAttempt(
  unit: Pick<Unit, 'stage'>,
  { attempt }: SignInRisk,
  { userId, isSuccess }: { userId?: string | undefined; isSuccess: boolean },
): void {
  if (attempt === undefined) return;
  const { record, isStored } = attempt;
  const result = isSuccess ? { attemptStatus: 'success' as const } : {};
  if (isStored) unit.stage(attempts.revise(record, { isContinued: true, ...result }).write);
  else {
    const owner = userId === undefined ? undefined : ownerKey('user', userId);
    unit.stage(attempts.create({ ...record, ...result, owner }, record.createdAt).write);
  }
  if (isSuccess && record.attemptStatus === undefined) unit.stage(teachingWrites(record));
}

/** Stages the success of a sign-in that had a further step, by the id of its attempt. */
export async function stageLaterSuccess(unit: Pick<Unit, 'stage'>, environmentId: string, id: string): Promise<void> {
  const record = await attempts.get(environmentId, id);
  if (record !== undefined) stageSuccess(unit, record, { attempt: 'success', challenge: 'success' });
}

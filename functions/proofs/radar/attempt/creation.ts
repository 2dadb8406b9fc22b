import { awaitAll } from '../../../kernel/concurrency.ts';
import { findSettings } from '../../../kernel/environment-settings.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import { findRules } from '../rule-set/find.ts';
import { radarSettings } from '../rule-set/settings.ts';
import { findContinued } from './continued.ts';
import { assessAttempt } from './assess.ts';
import { type AttemptData, measure } from './measure.ts';

/**
 * Counts and stages the attempt of a user or a code that a back end creates, which the sign-in then continues by the
 * returned id. The creation itself is not rejected: the verdict applies to the sign-in.
 * @param continuedId the attempt of an earlier creation for the same mailbox, which is not counted again
 * @returns undefined if the settings do not have sign-ins counted, or the back end forwards no data of the person's client
 */
export async function assessCreation(
  unit: Pick<Unit, 'once' | 'stage'>,
  data: AttemptData,
  { userId, continuedId }: { userId: string; continuedId?: string | undefined },
): Promise<string | undefined> {
  const { environmentId, ipAddress, userAgent, signalsId } = data;
  const isForwarded = ipAddress !== null || userAgent !== null || signalsId !== undefined;
  const { sign_in: asked } = await findSettings(environmentId, radarSettings);
  if (asked !== 'all' || (!isForwarded && continuedId === undefined)) return undefined;
  const continued = continuedId === undefined ? undefined : await findContinued(data, continuedId);
  if (continued !== undefined) return continued.id;
  const [measured, rules] = await awaitAll([unit.once('radar.measure', () => measure(data)), findRules(environmentId)]);
  const { record, write } = assessAttempt(measured, rules, 'radar_auth_attempt', userId);
  unit.stage(write);
  return record.id;
}

import { clock } from '../../../kernel/clock.ts';
import { readTime } from '../../../kernel/id-format.ts';
import { canonicalEmail } from '../engine/email.ts';
import { attempts, type AttemptRecord, storedText } from './entity.ts';
import type { AttemptData } from './measure.ts';

/**
 * Time in ms within which a sign-in can continue an attempt that an earlier call has counted, which is as long as a code is
 * valid.
 */
const CONTINUED_MS = 10 * 60_000;

/**
 * The attempt that a sign-in of the same mailbox may continue; undefined if it is unknown, of another mailbox, too old or
 * already continued.
 */
export async function findContinued(
  { environmentId, email }: Pick<AttemptData, 'environmentId' | 'email'>,
  id: string,
): Promise<AttemptRecord | undefined> {
  const found = id.startsWith('radar_auth_attempt_') ? await attempts.get(environmentId, id) : undefined;
  if (found === undefined || found.isContinued === true || readTime(found.id) < clock.now() - CONTINUED_MS) {
    return undefined;
  }
  return canonicalEmail(found.email) === canonicalEmail(email) ? found : undefined;
}

/**
 * Reports whether a call comes from the client of an attempt, as far as both name it. A call of a back end that forwards
 * nothing of its client names none.
 */
export const isOfClient = (
  attempt: Pick<AttemptRecord, 'ipAddress' | 'userAgent'>,
  { ipAddress, userAgent }: Pick<AttemptData, 'ipAddress' | 'userAgent'>,
): boolean =>
  (ipAddress === null && userAgent === null) ||
  (attempt.ipAddress === storedText(ipAddress) && attempt.userAgent === storedText(userAgent));

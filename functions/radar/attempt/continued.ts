import { clock } from '../../kernel/clock.ts';
import { readTime } from '../../kernel/id-format.ts';
import { canonicalEmail } from '../engine/email.ts';
import { attempts, type AttemptRecord } from './entity.ts';
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

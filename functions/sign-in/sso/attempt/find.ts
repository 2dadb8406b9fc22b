import { normalizeEmail } from '../../../kernel/address.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import { type AttemptRecord, attempts } from './entity.ts';
import { isKept, openDetails } from './stage.ts';

/** An attempt of one person to sign in through a connection. */
export interface PersonAttempt {
  id: string;
  connectionId: string;
  outcome: AttemptRecord['outcome'];
  error: { code: string; message: string } | undefined;
  createdAt: string;
}

/** Number of a connection's latest attempts among which those of a person are looked for. */
const LATEST = 20;

/**
 * Finds a person's attempts among the latest attempts of a connection, the newest first. These are the attempts of the user, and failed
 * ones whose profile has the email address. Test sign-ins are left out. It takes one strongly consistent Query, and one KMS call if the
 * data key is not cached.
 */
export async function findPersonAttempts(
  environmentId: string,
  connectionId: string,
  { userId, email }: { userId: string | undefined; email: string },
): Promise<PersonAttempt[]> {
  const latest = await attempts.list('primary', { environmentId, connectionId }).take(LATEST, 'desc');
  const kept = latest.filter((one) => isKept(one) && one.kind !== 'test');
  const theirs = await awaitAll(kept.map((one) => isOfPerson(one, userId, email)));
  return kept
    .filter((_, at) => theirs[at] === true)
    .map(({ id, outcome, errorCode, errorMessage, createdAt }) => ({
      id,
      connectionId,
      outcome,
      error: errorCode === undefined ? undefined : { code: errorCode, message: errorMessage ?? '' },
      createdAt,
    }));
}

async function isOfPerson(record: AttemptRecord, userId: string | undefined, email: string): Promise<boolean> {
  if (record.userId !== undefined) return record.userId === userId;
  const profile = (await openDetails(record))?.profile;
  return profile?.email !== undefined && normalizeEmail(profile.email) === email;
}

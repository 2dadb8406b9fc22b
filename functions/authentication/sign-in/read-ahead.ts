import { type FactorRecord, factorsOf, isProven } from '../../mfa/public.ts';
import { type SessionRecord, sessionRows } from '../../sessions/public.ts';
import type { UserRecord } from '../../users/public.ts';
import { type Place, placesOf } from './organizations.ts';

/** No user has this id. */
const NOBODY = 'user_nobody';

/** What a sign-in will need to know of its user, already asked for. */
export interface ReadAhead {
  factors: Promise<FactorRecord[]>;
  places: Promise<Place[]>;
  sessions: Promise<SessionRecord[]>;
}

/**
 * Asks for what a sign-in will need while its proof is looked at: at most two round trips, which hide behind a password's
 * hash. For nobody in particular it costs the same.
 *
 * **Only after the user's row was read:** whoever changes sessions or credentials holds that row, and so does the sign-in, by
 * the version that it read. What is read later is as it was then, or the transaction fails; what is read beside it may be older.
 */
export function readAhead(environmentId: string, user: UserRecord | undefined): ReadAhead {
  const userId = user?.id ?? NOBODY;
  const ahead = {
    factors: usableFactors(environmentId, userId),
    places: placesOf(environmentId, userId),
    sessions: sessionRows(environmentId, userId),
  };
  // A sign-in that ends before it needs them must not end the process.
  for (const read of Object.values(ahead)) read.catch(() => undefined);
  return ahead;
}

/** Factors that the user has shown to work and can show to a page; a `generic_otp` is for callers that deliver its code. */
export const usableFactors = async (environmentId: string, userId: string): Promise<FactorRecord[]> =>
  (await factorsOf(environmentId, userId)).filter((factor) => isProven(factor) && factor.type !== 'generic_otp');

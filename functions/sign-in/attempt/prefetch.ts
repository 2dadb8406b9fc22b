import { findSlugsThatAreOn } from '../../feature-flags/public.ts';
import { ABSENT_USER_ID } from '../../kernel/id-format.ts';
import { type FactorRecord, findFactors, isProven } from '../../mfa/public.ts';
import { type SessionRecord, sessionRows } from '../../sessions/public.ts';
import type { UserRecord } from '../../users/public.ts';
import { type SignInOrganization, findSignInOrganizations } from './organizations.ts';

/** Prefetched data of a sign-in's user. */
export interface Prefetched {
  factors: Promise<FactorRecord[]>;
  places: Promise<SignInOrganization[]>;
  sessions: Promise<SessionRecord[]>;
  /** Slugs of the feature flags that are on for the user outside of organizations. */
  flags: Promise<string[]>;
}

/**
 * Prefetches the data of a sign-in while its proof is checked: at most two round trips, in parallel with a password's
 * hash. Without a user it costs the same.
 *
 * **Only after the user's row was read:** calls that change sessions or credentials also write that row, and so does
 * the sign-in, with the version that it read. So a later read is still valid at the commit, or the transaction fails; a
 * parallel read may be older.
 */
export function prefetch(environmentId: string, user: UserRecord | undefined): Prefetched {
  const userId = user?.id ?? ABSENT_USER_ID;
  const prefetched = {
    factors: usableFactors(environmentId, userId),
    places: findSignInOrganizations(environmentId, userId),
    sessions: sessionRows(environmentId, userId),
    // In parallel with the memberships, although a user with an organization does not need it: one round trip less.
    flags: findSlugsThatAreOn(environmentId, [userId]),
  };
  // If the sign-in ends before it awaits them, a rejection must not end the process.
  for (const read of Object.values(prefetched)) read.catch(() => undefined);
  return prefetched;
}

/** Proven factors whose codes a page can ask for; the codes of a `generic_otp` are delivered by callers. */
export const usableFactors = async (environmentId: string, userId: string): Promise<FactorRecord[]> =>
  (await findFactors(environmentId, userId)).filter((factor) => isProven(factor) && factor.type !== 'generic_otp');

import { findSlugsThatAreOn } from '../../../../access/feature-flags/public.ts';
import { ABSENT_USER_ID } from '../../../../kernel/id-format.ts';
import { readEarly } from '../../../../kernel/concurrency.ts';
import { readTogether } from '../../../../kernel/storage/together.ts';
import type { Unit } from '../../../../kernel/storage/unit.ts';
import { type FactorRecord, findFactors, isProven } from '../../../../proofs/mfa/public.ts';
import { type SessionRecord, sessionRows } from '../../../../tenancy/sessions/public.ts';
import type { UserRecord } from '../../../../tenancy/modules/users/public.ts';
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
 * Prefetches the data of a sign-in while its proof is checked: at most two round trips, in parallel with hashing a
 * password. It costs the same without a user. It must be called **after the user's row was read:** calls that change
 * sessions or credentials also write that row, and so does the sign-in, with the version that it read. So what is read
 * later is still valid at the commit, or the transaction fails; what is read in parallel may be older.
 */
export function prefetch(unit: Unit, environmentId: string, user: UserRecord | undefined): Prefetched {
  const userId = user?.id ?? ABSENT_USER_ID;
  const prefetched = readTogether(() => ({
    factors: usableFactors(environmentId, userId),
    places: findSignInOrganizations(environmentId, userId),
    sessions: sessionRows(environmentId, userId),
    // The flags are read in parallel with the memberships, although a user with an organization does not need them: this
    // saves a round trip for the others.
    flags: findSlugsThatAreOn(environmentId, [userId]),
  }));
  // The sign-in may end before it awaits these reads.
  for (const read of Object.values<Promise<unknown>>(prefetched)) void readEarly(unit, read);
  return prefetched;
}

/** Proven factors whose codes a page can ask for. The codes of a `generic_otp` factor are delivered by callers. */
export const usableFactors = async (environmentId: string, userId: string): Promise<FactorRecord[]> =>
  (await findFactors(environmentId, userId)).filter((factor) => isProven(factor) && factor.type !== 'generic_otp');

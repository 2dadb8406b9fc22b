import type { FactorRecord } from '../../mfa/public.ts';
import { usableFactors } from './factor.ts';
import { type Place, placesOf } from './organizations.ts';

/** What a sign-in will need to know of its user, already asked for. */
export interface ReadAhead {
  userId: string;
  factors: Promise<FactorRecord[]>;
  places: Promise<Place[]>;
}

/**
 * Asks for what a sign-in will need while its first proof is looked at: at most two round trips, which hide behind a
 * password's hash. For nobody in particular it costs the same.
 */
export function readAhead(environmentId: string, userId: string): ReadAhead {
  const [factors, places] = [usableFactors(environmentId, userId), placesOf(environmentId, userId)];
  // A sign-in that ends before it needs them must not end the process.
  for (const read of [factors, places]) read.catch(() => undefined);
  return { userId, factors, places };
}

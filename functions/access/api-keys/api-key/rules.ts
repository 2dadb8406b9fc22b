/** Reports whether a key has expired: from the exact millisecond on. */
export const hasEnded = (endsAt: string | undefined, now: number): boolean =>
  endsAt !== undefined && Date.parse(endsAt) <= now;

/** The result of a request to expire a key. */
export type Expiry = { kind: 'already-expired' } | { kind: 'not-in-the-future' } | { kind: 'set'; endsAt?: string };

/**
 * Computes the expiry of a key from a request: an absent time expires it now, a time schedules its expiry, null clears the
 * schedule. An expired key stays expired, since its holder has already been rejected.
 */
export function computeExpiry(current: string | undefined, wanted: string | null | undefined, now: number): Expiry {
  if (hasEnded(current, now)) return { kind: 'already-expired' };
  if (wanted === undefined) return { kind: 'set', endsAt: new Date(now).toISOString() };
  if (wanted === null) return { kind: 'set' };
  return hasEnded(wanted, now) ? { kind: 'not-in-the-future' } : { kind: 'set', endsAt: wanted };
}

/** Whether a key has ended: from the very millisecond of its end on. */
export const hasEnded = (endsAt: string | undefined, now: number): boolean =>
  endsAt !== undefined && Date.parse(endsAt) <= now;

/** What a request to expire a key comes to. */
export type Expiry = { kind: 'already-expired' } | { kind: 'not-in-the-future' } | { kind: 'set'; endsAt?: string };

/**
 * The end of a key by a request: absent ends it now, a moment schedules its end, null clears the schedule. A key that
 * has ended stays expired: its holder has already been rejected.
 */
export function expiryOf(current: string | undefined, wanted: string | null | undefined, now: number): Expiry {
  if (hasEnded(current, now)) return { kind: 'already-expired' };
  if (wanted === undefined) return { kind: 'set', endsAt: new Date(now).toISOString() };
  if (wanted === null) return { kind: 'set' };
  return hasEnded(wanted, now) ? { kind: 'not-in-the-future' } : { kind: 'set', endsAt: wanted };
}

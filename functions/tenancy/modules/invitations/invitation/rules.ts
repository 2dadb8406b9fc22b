/** Validity of an invitation in days, with its bounds; official clients document a week. */
export const DEFAULT_DAYS = 7;
export const MIN_DAYS = 1;
export const MAX_DAYS = 30;

export type InvitationState = 'pending' | 'accepted' | 'expired' | 'revoked';

/** The members that determine an invitation's state. */
export interface InvitationTimes {
  acceptedAt?: string | undefined;
  revokedAt?: string | undefined;
  /** The time from which it can no longer be accepted (ISO 8601). */
  endsAt: string;
}

/**
 * The state at a time, in milliseconds since the epoch. It is computed, since nothing is written when an invitation
 * expires.
 */
export function computeState({ acceptedAt, revokedAt, endsAt }: InvitationTimes, now: number): InvitationState {
  if (acceptedAt !== undefined) return 'accepted';
  if (revokedAt !== undefined) return 'revoked';
  return Date.parse(endsAt) <= now ? 'expired' : 'pending';
}

/** The methods by which agents of other parties can register themselves. */
export const REGISTRATION_KINDS = ['anonymous', 'service_auth', 'identity_assertion'] as const;

/** The statuses of a registration: the last two are final. */
export const REGISTRATION_STATUSES = ['unverified', 'verified', 'expired', 'revoked'] as const;

export type Status = (typeof REGISTRATION_STATUSES)[number];

/**
 * The status of a registration at a time, in milliseconds since the epoch. The row of an expired one may still have its
 * former status.
 */
export function statusAt({ status, endsAt }: { status: Status; endsAt?: string | undefined }, now: number): Status {
  const isOver = endsAt !== undefined && Date.parse(endsAt) <= now;
  return isOver && status !== 'revoked' ? 'expired' : status;
}

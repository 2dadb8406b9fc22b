/**
 * Decides when a token is renewed before its expiry: early enough that the caller can still use it, late enough that
 * most of its lifetime is used.
 */
const LONGEST_MARGIN_MS = 120_000;

interface Token {
  /** The time of expiry (ISO 8601); absent for a token that does not expire. */
  tokenExpiresAt?: string | undefined;
  tokenLifetimeSeconds?: number | undefined;
}

/**
 * Reports whether a token can be returned without a renewal: a fifth of its lifetime is left, or two minutes of a long one.
 */
export function isFresh({ tokenExpiresAt, tokenLifetimeSeconds }: Token, now: number): boolean {
  if (tokenExpiresAt === undefined) return true;
  const share = tokenLifetimeSeconds === undefined ? LONGEST_MARGIN_MS : tokenLifetimeSeconds * 200;
  return Date.parse(tokenExpiresAt) - now > Math.min(LONGEST_MARGIN_MS, share);
}

/** Reports whether a token still works, though it may be about to expire. */
export const isAlive = ({ tokenExpiresAt }: Token, now: number): boolean =>
  tokenExpiresAt === undefined || Date.parse(tokenExpiresAt) > now;

/**
 * Reports whether renewed tokens may be stored: the connected account was not authorized again since, and not renewed with
 * a later lease.
 */
export const mayStore = (
  stored: { grantId: string; fence: number },
  renewal: { grantId: string; fence: number },
): boolean => stored.grantId === renewal.grantId && stored.fence < renewal.fence;

/**
 * Reports whether a rejected grant means that the connected account must be authorized again: only if the stored tokens are
 * still those that were rejected.
 */
export const invalidatesAccount = (
  stored: { grantId: string; fence: number },
  used: { grantId: string; fence: number },
): boolean => stored.grantId === used.grantId && stored.fence === used.fence;

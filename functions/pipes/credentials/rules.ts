/** When a token is renewed before its end: early enough for the caller to use it, late enough to make use of it. */
const LONGEST_MARGIN_MS = 120_000;

interface Token {
  /** ISO 8601; absent for a token that does not end. */
  tokenExpiresAt?: string | undefined;
  tokenLifetimeSeconds?: number | undefined;
}

/** Whether a token can be handed out as it is: a fifth of its lifetime is left, or two minutes of a long one. */
export function isFresh({ tokenExpiresAt, tokenLifetimeSeconds }: Token, now: number): boolean {
  if (tokenExpiresAt === undefined) return true;
  const share = tokenLifetimeSeconds === undefined ? LONGEST_MARGIN_MS : tokenLifetimeSeconds * 200;
  return Date.parse(tokenExpiresAt) - now > Math.min(LONGEST_MARGIN_MS, share);
}

/** Whether a token still works, though it may be about to end. */
export const isAlive = ({ tokenExpiresAt }: Token, now: number): boolean =>
  tokenExpiresAt === undefined || Date.parse(tokenExpiresAt) > now;

/**
 * Whether what a renewal brought may be stored: the connection was not authorized anew meanwhile, and nobody renewed it
 * under a later lease.
 */
export const mayStore = (
  stored: { grantId: string; fence: number },
  renewal: { grantId: string; fence: number },
): boolean => stored.grantId === renewal.grantId && stored.fence < renewal.fence;

/** Whether a refused grant breaks the connection: only if the stored tokens are still those that were refused. */
export const breaksConnection = (
  stored: { grantId: string; fence: number },
  used: { grantId: string; fence: number },
): boolean => stored.grantId === used.grantId && stored.fence === used.fence;

/** The members of an import that describe tokens. */
export interface GivenTokens {
  accessToken?: string | undefined;
  refreshToken?: string | undefined;
  /** ISO 8601. */
  expiresAt?: string | undefined;
  state?: 'connected' | 'needs_reauthorization' | undefined;
}

/** The resulting state of a combination of tokens. */
export type TokenVerdict =
  { kind: 'state'; state: 'connected' | 'needs_reauthorization' } | { kind: 'invalid'; reason: string };

/**
 * Decides whether a combination of tokens is valid, and which state results: `connected` for an access token that has
 * not expired, or for a refresh token without one, which the first request for credentials exchanges. A combination
 * without a usable token needs a new authorization.
 */
export function judgeTokens({ accessToken, refreshToken, expiresAt, state }: GivenTokens, now: number): TokenVerdict {
  if (expiresAt !== undefined && accessToken === undefined) {
    return { kind: 'invalid', reason: 'expires_at is the end of an access_token, which is missing.' };
  }
  const hasEnded = expiresAt !== undefined && Date.parse(expiresAt) <= now;
  const isUsable = refreshToken !== undefined || (accessToken !== undefined && !hasEnded);
  if (state === 'connected' && !isUsable) {
    return {
      kind: 'invalid',
      reason: 'A connected account needs an access_token that has not ended or a refresh_token.',
    };
  }
  return { kind: 'state', state: state ?? (isUsable ? 'connected' : 'needs_reauthorization') };
}

/** The tokens after an update: a new access token replaces the expiry too; members that are not named stay. */
export const mergeTokens = (former: GivenTokens, given: GivenTokens): GivenTokens => ({
  accessToken: given.accessToken ?? former.accessToken,
  refreshToken: given.refreshToken ?? former.refreshToken,
  expiresAt: given.expiresAt ?? (given.accessToken === undefined ? former.expiresAt : undefined),
  state: given.state,
});

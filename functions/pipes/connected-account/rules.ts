/** What an import says of tokens. */
export interface GivenTokens {
  accessToken?: string | undefined;
  refreshToken?: string | undefined;
  /** ISO 8601. */
  expiresAt?: string | undefined;
  state?: 'connected' | 'needs_reauthorization' | undefined;
}

/** What a combination of tokens makes of a connection. */
export type TokenVerdict =
  { kind: 'state'; state: 'connected' | 'needs_reauthorization' } | { kind: 'invalid'; reason: string };

/**
 * Whether tokens can stand together, and what state they make: an access token that has not ended connects, and so does
 * a refresh token alone, which the first vend turns into one. Nothing usable needs a new authorization.
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

/** The tokens of an update: a new access token comes with its own end; what is not named stays. */
export const mergeTokens = (former: GivenTokens, given: GivenTokens): GivenTokens => ({
  accessToken: given.accessToken ?? former.accessToken,
  refreshToken: given.refreshToken ?? former.refreshToken,
  expiresAt: given.expiresAt ?? (given.accessToken === undefined ? former.expiresAt : undefined),
  state: given.state,
});

/**
 * The roles of an owner's connected accounts at one provider: at most one has the role `compatibility`, the others have the
 * role `standard`.
 */
export type AccountRole = 'compatibility' | 'standard';

interface RoleOfAccount {
  id: string;
  connectionRole: AccountRole;
}

/** The members of a request that select a connected account. */
export interface Selector {
  connectedAccountId?: string | undefined;
  supportsMultiple: boolean;
}

/** The connected account that a request selects among an owner's. */
export type Selection<C> = { kind: 'one'; account: C } | { kind: 'none' } | { kind: 'several' };

const one = <C>(account: C | undefined): Selection<C> =>
  account === undefined ? { kind: 'none' } : { kind: 'one', account };

/** The one compatibility connected account of an owner. */
export const findCompatibilityAccount = <C extends RoleOfAccount>(accounts: readonly C[]): C | undefined =>
  accounts.find(({ connectionRole }) => connectionRole === 'compatibility');

/**
 * The connected accounts that a request may select: only the compatibility account for a caller that does not support
 * several.
 */
export const visible = <C extends RoleOfAccount>(accounts: readonly C[], supportsMultiple: boolean): C[] =>
  accounts.filter(({ connectionRole }) => supportsMultiple || connectionRole === 'compatibility');

/** Selects the connected account to read, use or delete: the named one among the visible ones, otherwise the only one. */
export function select<C extends RoleOfAccount>(accounts: readonly C[], selector: Selector): Selection<C> {
  const seen = visible(accounts, selector.supportsMultiple);
  if (selector.connectedAccountId !== undefined) return one(seen.find(({ id }) => id === selector.connectedAccountId));
  return seen.length > 1 ? { kind: 'several' } : one(seen[0]);
}

/**
 * Selects the connected account whose credentials are replaced: exactly the named one, otherwise the compatibility account.
 * `none` without a name means that the compatibility account is created.
 */
export function selectForUpsert<C extends RoleOfAccount>(accounts: readonly C[], selector: Selector): Selection<C> {
  if (selector.connectedAccountId !== undefined) {
    return one(accounts.find(({ id }) => id === selector.connectedAccountId));
  }
  if (selector.supportsMultiple && accounts.length > 1) return { kind: 'several' };
  return one(findCompatibilityAccount(accounts));
}

/**
 * Selects like {@link selectForUpsert} if none can be created: several standard accounts without a compatibility account
 * need a name.
 */
export function selectForUpdate<C extends RoleOfAccount>(
  accounts: readonly C[],
  connectedAccountId: string | undefined,
): Selection<C> {
  const selection = selectForUpsert(accounts, { connectedAccountId, supportsMultiple: false });
  const isAmbiguous = selection.kind === 'none' && connectedAccountId === undefined && accounts.length > 1;
  return isAmbiguous ? { kind: 'several' } : selection;
}

/** The role of a new connected account: the first one of an owner is the compatibility account. */
export const roleOfNew = (accounts: readonly RoleOfAccount[]): AccountRole =>
  findCompatibilityAccount(accounts) === undefined ? 'compatibility' : 'standard';

/** The members of an import that describe tokens. */
export interface GivenTokens {
  accessToken?: string | undefined;
  refreshToken?: string | undefined;
  /** The time of expiry (ISO 8601). */
  expiresAt?: string | undefined;
  state?: 'connected' | 'needs_reauthorization' | undefined;
}

/** The resulting state of a combination of tokens. */
export type TokenVerdict =
  | { kind: 'state'; state: 'connected' | 'needs_reauthorization' }
  | { kind: 'invalid'; reason: string };

/**
 * Decides whether a combination of tokens is valid, and which state results. It is `connected` for an access token that has
 * not expired, or for a refresh token without one, which the first request for credentials exchanges. A combination without
 * a usable token needs a new authorization.
 */
export function classifyTokens(
  { accessToken, refreshToken, expiresAt, state }: GivenTokens,
  now: number,
): TokenVerdict {
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

/** The tokens after an update. A new access token also replaces the expiry; members that are not named are unchanged. */
export const mergeTokens = (former: GivenTokens, given: GivenTokens): GivenTokens => ({
  accessToken: given.accessToken ?? former.accessToken,
  refreshToken: given.refreshToken ?? former.refreshToken,
  expiresAt: given.expiresAt ?? (given.accessToken === undefined ? former.expiresAt : undefined),
  state: given.state,
});

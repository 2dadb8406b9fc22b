/** An owner's connected accounts to one provider differ by role: one is the compatibility connected account, the others standard. */
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

/** The one of an owner's connected accounts that a request selects. */
export type Selection<C> = { kind: 'one'; account: C } | { kind: 'none' } | { kind: 'several' };

const one = <C>(account: C | undefined): Selection<C> =>
  account === undefined ? { kind: 'none' } : { kind: 'one', account };

/** The one compatibility connected account of an owner. */
export const findCompatibilityAccount = <C extends RoleOfAccount>(accounts: readonly C[]): C | undefined =>
  accounts.find(({ connectionRole }) => connectionRole === 'compatibility');

/** The connected accounts that a request sees: only the compatibility one for a caller that does not support several. */
export const visible = <C extends RoleOfAccount>(accounts: readonly C[], supportsMultiple: boolean): C[] =>
  accounts.filter(({ connectionRole }) => supportsMultiple || connectionRole === 'compatibility');

/** Selects the connected account to read, use or delete: the named one among the visible ones, else the only one. */
export function select<C extends RoleOfAccount>(accounts: readonly C[], selector: Selector): Selection<C> {
  const seen = visible(accounts, selector.supportsMultiple);
  if (selector.connectedAccountId !== undefined) return one(seen.find(({ id }) => id === selector.connectedAccountId));
  return seen.length > 1 ? { kind: 'several' } : one(seen[0]);
}

/**
 * Selects the connected account whose credentials are replaced: exactly the named one, else the compatibility one. `none`
 * without a name means that the compatibility connected account is made.
 */
export function selectForUpsert<C extends RoleOfAccount>(accounts: readonly C[], selector: Selector): Selection<C> {
  if (selector.connectedAccountId !== undefined) {
    return one(accounts.find(({ id }) => id === selector.connectedAccountId));
  }
  if (selector.supportsMultiple && accounts.length > 1) return { kind: 'several' };
  return one(findCompatibilityAccount(accounts));
}

/** Like {@link selectForUpsert} if none can be made: several standard ones without a compatibility one need a name. */
export function selectForUpdate<C extends RoleOfAccount>(
  accounts: readonly C[],
  connectedAccountId: string | undefined,
): Selection<C> {
  const selection = selectForUpsert(accounts, { connectedAccountId, supportsMultiple: false });
  const isAmbiguous = selection.kind === 'none' && connectedAccountId === undefined && accounts.length > 1;
  return isAmbiguous ? { kind: 'several' } : selection;
}

/** The role of a further connected account: the first of an owner is the compatibility one. */
export const roleOfNew = (accounts: readonly RoleOfAccount[]): AccountRole =>
  findCompatibilityAccount(accounts) === undefined ? 'compatibility' : 'standard';

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

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
export const compatibilityOf = <C extends RoleOfAccount>(accounts: readonly C[]): C | undefined =>
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
  return one(compatibilityOf(accounts));
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
  compatibilityOf(accounts) === undefined ? 'compatibility' : 'standard';

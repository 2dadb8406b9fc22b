/** An owner's connections to one provider differ by role: one is the compatibility connection, the others standard. */
export type ConnectionRole = 'compatibility' | 'standard';

interface Connection {
  id: string;
  connectionRole: ConnectionRole;
}

/** The members of a request that select a connection. */
export interface Selector {
  connectedAccountId?: string | undefined;
  supportsMultiple: boolean;
}

/** The one of an owner's connections that a request selects. */
export type Selection<C> = { kind: 'one'; connection: C } | { kind: 'none' } | { kind: 'several' };

const one = <C>(connection: C | undefined): Selection<C> =>
  connection === undefined ? { kind: 'none' } : { kind: 'one', connection };

/** The one compatibility connection of an owner. */
export const compatibilityOf = <C extends Connection>(connections: readonly C[]): C | undefined =>
  connections.find(({ connectionRole }) => connectionRole === 'compatibility');

/** The connections that a request sees: only the compatibility one for a caller that does not support several. */
export const visible = <C extends Connection>(connections: readonly C[], supportsMultiple: boolean): C[] =>
  connections.filter(({ connectionRole }) => supportsMultiple || connectionRole === 'compatibility');

/** Selects the connection to read, use or delete: the named one among the visible ones, else the only one. */
export function select<C extends Connection>(connections: readonly C[], selector: Selector): Selection<C> {
  const seen = visible(connections, selector.supportsMultiple);
  if (selector.connectedAccountId !== undefined) return one(seen.find(({ id }) => id === selector.connectedAccountId));
  return seen.length > 1 ? { kind: 'several' } : one(seen[0]);
}

/**
 * Selects the connection whose credentials are replaced: exactly the named one, else the compatibility one. `none`
 * without a name means that the compatibility connection is made.
 */
export function selectForUpsert<C extends Connection>(connections: readonly C[], selector: Selector): Selection<C> {
  if (selector.connectedAccountId !== undefined) {
    return one(connections.find(({ id }) => id === selector.connectedAccountId));
  }
  if (selector.supportsMultiple && connections.length > 1) return { kind: 'several' };
  return one(compatibilityOf(connections));
}

/**
 * Like {@link selectForUpsert}, for operations that make no connection: if there are several standard connections and
 * no compatibility one, the request must name one.
 */
export function selectForUpdate<C extends Connection>(
  connections: readonly C[],
  connectedAccountId: string | undefined,
): Selection<C> {
  const selection = selectForUpsert(connections, { connectedAccountId, supportsMultiple: false });
  const isAmbiguous = selection.kind === 'none' && connectedAccountId === undefined && connections.length > 1;
  return isAmbiguous ? { kind: 'several' } : selection;
}

/** The role of a further connection: the first of an owner is the compatibility one. */
export const roleOfNew = (connections: readonly Connection[]): ConnectionRole =>
  compatibilityOf(connections) === undefined ? 'compatibility' : 'standard';

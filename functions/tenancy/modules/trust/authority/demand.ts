/** The part of an authorization request that determines how the person signs in. */
export interface Demand {
  /** The value `hosted`, `sso` for a connection, or a social provider. */
  provider: string;
  connectionId?: string | undefined;
  /** True if the flow ends with a profile and does not sign a user in. */
  isForProfile?: boolean | undefined;
  /** Set once the user has to sign in before an account at a connection is linked. */
  link?: { userId: string } | undefined;
}

/**
 * Reports whether the pages, and so the browser, choose how the user signs in: the application left it to them, or the user has to sign in
 * before an account is linked.
 */
export const isChosenByPages = ({ provider, link, isForProfile }: Demand): boolean =>
  isForProfile !== true && (provider === 'hosted' || link !== undefined);

/** The facts of a sign-in that an application can demand. */
export interface MadeWith {
  userId: string;
  method: string;
  provider?: string | undefined;
  /** The connection, for single sign-on. */
  connectionId?: string | undefined;
}

/**
 * Reports whether a sign-in is what the application demanded: nothing that the browser sends replaces the connection or provider of
 * the request. Hosted pages may use any method. A user who signs in to link an account at the demanded connection may use any of
 * their own.
 */
export function meetsDemand({ provider, connectionId, link, isForProfile }: Demand, made: MadeWith): boolean {
  if (link !== undefined) return link.userId === made.userId;
  if (provider === 'hosted' || isForProfile === true) return true;
  if (provider !== 'sso') return made.method === 'oauth' && made.provider === provider;
  return made.method === 'sso' && (connectionId === undefined || connectionId === made.connectionId);
}

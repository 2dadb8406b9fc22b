/** The application to which a sign-in returns. */
export interface Returning {
  /** The redirect URI, which is registered in the environment. */
  redirectUri: string;
  state?: string | undefined;
  /** The issuer, which is returned as `iss`, so that a client of several servers can identify the response (RFC 9207). */
  issuer?: string | undefined;
}

/**
 * The redirect to an application with the response to its request (RFC 6749 section 4.1.2). The redirect URI keeps its
 * registered query; members of the response override it.
 */
export function redirectTo(
  { redirectUri, state, issuer }: Returning,
  members: Readonly<Record<string, string>>,
): string {
  const url = new URL(redirectUri);
  for (const [name, value] of Object.entries(members)) url.searchParams.set(name, value);
  if (state !== undefined) url.searchParams.set('state', state);
  if (issuer !== undefined) url.searchParams.set('iss', issuer);
  return url.href;
}

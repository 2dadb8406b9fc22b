/** The prefix of the ids of consents. */
export const CONSENT_PREFIX = 'authorized_connect_app';

/** The properties of an authorization request that decide whether consent is needed. */
export interface Asking {
  /** True for a first-party application, which belongs to the environment itself. */
  isFirstParty: boolean;
  /** True for an application that registered itself, or is known by its metadata document: any program could claim to be it. */
  isUnverified: boolean;
  scopes: readonly string[];
  /** The values of `prompt`. */
  prompts: readonly string[];
}

/**
 * Reports whether the user must be asked: never for a first-party application; always for an unverified one (RFC 6819
 * section 5.2.4.1) and with `prompt=consent`; otherwise if a scope is not among those of the consent for this organization
 * and resource.
 */
export function needsConsent(
  { isFirstParty, isUnverified, scopes, prompts }: Asking,
  given: readonly string[] | undefined,
): boolean {
  if (isFirstParty) return false;
  if (isUnverified || prompts.includes('consent') || given === undefined) return true;
  return scopes.some((scope) => !given.includes(scope));
}

/** The receiver of the redirect, as a user sees it. */
export type Receiver = { kind: 'host'; host: string } | { kind: 'computer' } | { kind: 'app'; scheme: string };

/** Reads the receiver of a redirect URI: a host, a program of this computer, or an app with its own scheme (RFC 8252 section 7). */
export function readReceiver(redirectUri: string, isLoopback: (hostname: string) => boolean): Receiver {
  const { protocol, hostname, host } = new URL(redirectUri);
  if (protocol !== 'https:' && protocol !== 'http:') return { kind: 'app', scheme: protocol.slice(0, -1) };
  return isLoopback(hostname) ? { kind: 'computer' } : { kind: 'host', host };
}

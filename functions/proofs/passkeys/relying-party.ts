import { settings } from '../../kernel/settings.ts';

/** The service as browsers and authenticators know it (Web Authentication, "relying party"). */
export interface RelyingParty {
  /** The RP id: the host of the service's base URL, to which browsers bind every passkey. */
  id: string;
  /** The only origin from which responses of authenticators are accepted. */
  origin: string;
}

/**
 * The relying party of all environments of this stage. Browsers bind a passkey to the domain on which it was created, so a
 * passkey cannot be used after the base URL gets another host.
 * @returns undefined if browsers offer no passkeys there: at an IP address, or without TLS outside of `localhost`
 */
export function findRelyingParty(): RelyingParty | undefined {
  const { hostname, origin, protocol } = new URL(settings().GATEHOUSE_BASE_URL);
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost');
  // The URL parser writes every spelling of an IPv4 address as four decimal numbers, and puts an IPv6 address in brackets.
  const isAddress = hostname.startsWith('[') || /^\d+(\.\d+){3}$/.test(hostname);
  if (isAddress || (protocol !== 'https:' && !isLocal)) return undefined;
  return { id: hostname, origin };
}

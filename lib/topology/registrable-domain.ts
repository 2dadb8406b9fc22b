import { getDomain } from 'tldts';

/**
 * The registrable domain of a host name: what browsers call its site, and the widest domain that a cookie of it may name. A
 * suffix under which anyone can register a name, such as `co.uk` or `cloudfront.net`, is none (publicsuffix.org, private section included).
 * @returns an empty text for an address, a suffix or a name of one label
 */
export const registrableDomain = (hostname: string): string =>
  getDomain(hostname, { allowPrivateDomains: true, detectIp: true }) ?? '';

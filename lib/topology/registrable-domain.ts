import { getDomain } from 'tldts';

/**
 * The registrable domain of a host name: browsers call it the site, and it is the widest domain that a cookie may name.
 * A public suffix, under which anyone can register a name, such as `co.uk` or `cloudfront.net`, has none
 * (publicsuffix.org, private section included).
 * @returns an empty text for an address, a suffix or a name of one label
 */
export const registrableDomain = (hostname: string): string =>
  getDomain(hostname, { allowPrivateDomains: true, detectIp: true }) ?? '';

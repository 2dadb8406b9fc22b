import { isIP } from 'node:net';
import type { AddressRules } from './addresses.ts';
import { EgressError } from './errors.ts';

/** Decides whether a URL may be reached without TLS: never, or at the addresses that the policy exempts. */
export type PlainHttp = 'never' | 'allowed-addresses';

export interface UrlRules {
  addresses: AddressRules;
  allowHttp: PlainHttp;
}

/**
 * Names that only resolve in a private network or on this machine (RFC 6761, 6762, 8375, ICANN's `.internal`, RFC
 * 9476).
 */
const privateName = /(^|\.)(localhost|local|internal|intranet|private|corp|home|lan|localdomain|home\.arpa|alt|onion)$/;

// Control characters and blanks, which the URL parser would silently remove or encode.
const unprintable = /[\u0000-\u0020\u007f]/;

/**
 * Checks everything about a URL that needs no resolution of its host: before it is saved, and again before each call.
 * Decimal, octal, hexadecimal and short IPv4 spellings are parsed as in the WHATWG URL standard, so the address that
 * they mean is checked.
 * @throws EgressError `invalid_url`, `scheme_refused`, `userinfo_refused`, `address_refused`
 */
export function checkUrl(text: string, rules: UrlRules, fragmentAllowed = true): URL {
  if (unprintable.test(text) || !URL.canParse(text)) throw new EgressError('invalid_url');
  const url = new URL(text);
  if (!fragmentAllowed && text.includes('#')) throw new EgressError('invalid_url');
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw new EgressError('scheme_refused');
  if (url.username !== '' || url.password !== '') throw new EgressError('userinfo_refused');
  const host = readHost(url);
  if (isIP(host) !== 0) checkLiteral(host, url, rules);
  else checkName(host, url, rules);
  return url;
}

/** The host without the brackets of an IPv6 literal and without the trailing dot. */
export function readHost(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
}

/**
 * Rejects plain http unless the policy exempts every address.
 * @throws EgressError `scheme_refused`
 */
export function checkScheme(url: URL, addresses: readonly string[], rules: UrlRules): void {
  if (url.protocol === 'https:') return;
  const exempt =
    rules.allowHttp === 'allowed-addresses' && addresses.every((address) => rules.addresses.isExempt(address));
  if (!exempt) throw new EgressError('scheme_refused');
}

function checkLiteral(host: string, url: URL, rules: UrlRules): void {
  const rejectionReason = rules.addresses.rejectionReason(host);
  if (rejectionReason !== null) throw new EgressError('address_refused', new Error(`${host} is ${rejectionReason}`));
  checkScheme(url, [host], rules);
}

function checkName(host: string, url: URL, rules: UrlRules): void {
  const labels = host.split('.');
  const valid = host.length <= 253 && labels.every((label) => label.length >= 1 && label.length <= 63);
  if (!valid) throw new EgressError('invalid_url');
  // If the policy has exemptions, a private name may resolve to an allowed address, so the resolved address is checked
  // instead.
  if (!rules.addresses.hasExemptions && (labels.length === 1 || privateName.test(host))) {
    throw new EgressError('address_refused', new Error(`${host} is a private name`));
  }
  const plainAllowed = rules.allowHttp === 'allowed-addresses' && rules.addresses.hasExemptions;
  if (url.protocol === 'http:' && !plainAllowed) throw new EgressError('scheme_refused');
}

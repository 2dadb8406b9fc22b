/*
 * Written by hand although ipaddr.js is there: every HTTP function loads this file, and only those with egress or Radar load that package.
 */

/** Four decimal numbers up to 255, without leading zeros, which some parsers read as octal. */
const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/;
/** An IPv4 address in IPv6 (RFC 4291 section 2.5.5.2), in the canonical spelling of IPv6. */
const MAPPED = /^::ffff:([\da-f]{1,4}):([\da-f]{1,4})$/;

/**
 * The canonical spelling of an address (RFC 5952 for IPv6), so that two texts are equal if they name the same address. An
 * IPv4 address that is mapped to IPv6 becomes the IPv4 address.
 * @returns undefined for any other text, and for an address with a zone, which names an interface of some machine
 */
export function internetAddress(text: string): string | undefined {
  if (IPV4.test(text)) return text;
  const address = /^[\da-f:.]+$/i.test(text) ? URL.parse(`http://[${text}]`)?.hostname.slice(1, -1) : undefined;
  const [, ...mapped] = MAPPED.exec(address ?? '') ?? [];
  if (mapped.length === 0) return address;
  return mapped
    .map((group) => Number.parseInt(group, 16))
    .flatMap((group) => [group >> 8, group & 255])
    .join('.');
}

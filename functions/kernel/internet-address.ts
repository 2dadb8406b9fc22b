/** Four decimal numbers up to 255, without leading zeros, which some would read as octal. */
const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/;

/** Groups of an IPv6 address that name its network: the least that anyone is given is a /64 (RFC 4291 section 2.5.4, RFC 6177). */
const NETWORK_GROUPS = 4;
const GROUPS = 8;

/**
 * An address in its one spelling (RFC 5952 for IPv6): so that two texts are equal when they name the same. An IPv4 address
 * that IPv6 carries is the IPv4 address.
 * @returns undefined for what is no address, and for one with a zone, which names an interface of some machine.
 */
export function internetAddress(text: string): string | undefined {
  const address = text.replace(/^::ffff:(?=\d+\.)/i, '');
  if (IPV4.test(address)) return address;
  return /^[\da-f:.]+$/i.test(address) ? URL.parse(`http://[${address}]`)?.hostname.slice(1, -1) : undefined;
}

/**
 * What attempts from an address are counted by: an IPv4 address by itself, an IPv6 one by its /64, of which whoever has one
 * address has them all. Anything else, as a back end may state it, by itself.
 */
export function countedAddress(text: string): string {
  const address = internetAddress(text);
  if (address?.includes(':') !== true) return address ?? text;
  const [left = [], right = []] = address.split('::').map((part) => part.split(':').filter((group) => group !== ''));
  const zeros = Array<string>(GROUPS - left.length - right.length).fill('0');
  return `${[...left, ...zeros, ...right].slice(0, NETWORK_GROUPS).join(':')}::/64`;
}

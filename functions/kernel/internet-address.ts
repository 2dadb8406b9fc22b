/** Four decimal numbers up to 255, without leading zeros, which some would read as octal. */
const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/;

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

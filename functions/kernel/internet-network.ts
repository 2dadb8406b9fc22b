import ipaddr from 'ipaddr.js';

/** An address as ipaddr.js parses it, in its own version of IP. */
export type Address = ipaddr.IPv4 | ipaddr.IPv6;
/** A network: its first address, and the number of bits that its addresses share. */
export type Network = readonly [Address, number];

/** Parses a network in CIDR notation. @throws Error for any other text */
export const readNetwork = (text: string): Network => ipaddr.parseCIDR(text);

/** Reports whether an address is in one of the networks. An address of the other version of IP is in none. */
export function within(address: Address, networks: readonly Network[]): boolean {
  return networks.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits));
}

import ipaddr from 'ipaddr.js';

import { type Address, type Network, readNetwork, within } from '../internet-network.ts';

/** Networks with rules of their own. */
interface KnownNetworks {
  /**
   * Addresses of instance metadata in the large clouds and of Azure's host agent. They return credentials, so they are
   * blocked even if a policy allows their network.
   */
  metadata: readonly Network[];
  /**
   * Networks whose addresses contain an IPv4 address that finally receives the packet: they are checked by that address.
   */
  carriers: readonly Network[];
  /** All global unicast IPv6 (RFC 4291 section 2.4 and the IANA registry). */
  globalUnicast: Network;
}

let known: KnownNetworks | undefined;

/** The known networks, which are parsed with the first address: a cold start does not wait for that. */
const knownNetworks = (): KnownNetworks =>
  (known ??= {
    metadata: [
      '169.254.169.254/32',
      '169.254.170.2/32',
      '169.254.170.23/32',
      '100.100.100.200/32',
      '192.0.0.192/32',
      '168.63.129.16/32',
      'fd00:ec2::254/128',
      'fd00:ec2::23/128',
      'fd20:ce::254/128',
    ].map(readNetwork),
    carriers: ['::ffff:0:0/96', '64:ff9b::/96'].map(readNetwork),
    globalUnicast: readNetwork('2000::/3'),
  });

/** The addresses to which connections are allowed. */
export interface AddressRules {
  /** The reason for blocking an address (a range's name, for logs), or null if it is allowed. */
  rejectionReason(address: string): string | null;
  /** Reports whether the policy exempts the address explicitly: such an address may also be reached without TLS. */
  isExempt(address: string): boolean;
  /** True if the policy exempts any network. */
  readonly hasExemptions: boolean;
}

/**
 * Address rules with the networks that a policy exempts from blocking.
 * @param allow networks in CIDR notation, for example `127.0.0.0/8`
 * @throws Error for a text that is not a network: a policy is configuration, so this is a fault at start-up
 */
export function addressRules(allow: readonly string[]): AddressRules {
  const exempt = allow.map(readNetwork);
  return {
    hasExemptions: exempt.length > 0,
    isExempt(text) {
      const address = parseAddress(text);
      return address !== null && !within(address, knownNetworks().metadata) && within(address, exempt);
    },
    rejectionReason(text) {
      const address = parseAddress(text);
      if (address === null) return 'unparseable';
      if (within(address, knownNetworks().metadata)) return 'metadata';
      return within(address, exempt) ? null : specialRange(address);
    },
  };
}

/** The effective address of a connection: for a mapped or translated IPv4 address, the IPv4 address. */
function parseAddress(text: string): Address | null {
  // A zone names an interface of this machine. ipaddr.js also parses octal and short IPv4, which no resolver returns.
  if (text.includes('%') || !(ipaddr.IPv6.isValid(text) || ipaddr.IPv4.isValidFourPartDecimal(text))) return null;
  const address = ipaddr.parse(text);
  return within(address, knownNetworks().carriers) ? ipaddr.fromByteArray(address.toByteArray().slice(12)) : address;
}

/** The special-purpose range of an address (RFC 6890, IANA registries), or null for a public one. */
function specialRange(address: Address): string | null {
  // ipaddr.js calls every unknown range "unicast", but in IPv6 only 2000::/3 is (RFC 4291).
  if (address.kind() === 'ipv6' && !within(address, [knownNetworks().globalUnicast])) return 'not global unicast';
  const range = address.range();
  return range === 'unicast' ? null : range;
}

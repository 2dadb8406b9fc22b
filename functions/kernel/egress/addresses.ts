import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Network = readonly [Address, number];

/**
 * Instance metadata of the large clouds and of Azure's host agent. They hand out credentials, so not even a
 * policy that allows their network reaches them.
 */
const metadata: readonly Network[] = [
  '169.254.169.254/32',
  '169.254.170.2/32',
  '169.254.170.23/32',
  '100.100.100.200/32',
  '192.0.0.192/32',
  '168.63.129.16/32',
  'fd00:ec2::254/128',
  'fd00:ec2::23/128',
  'fd20:ce::254/128',
].map(parseNetwork);

/** Networks that stand for an IPv4 address which the packet reaches in the end: judged by that address. */
const carriers: readonly Network[] = ['::ffff:0:0/96', '64:ff9b::/96'].map(parseNetwork);

/** RFC 4291 section 2.4 and the IANA registry: all global unicast IPv6 lies here. */
const globalUnicast = parseNetwork('2000::/3');

/** Which addresses may be connected to. */
export interface AddressRules {
  /** Why the address is refused (a range's name, for logs), or null where it may be reached. */
  refusal(address: string): string | null;
  /** Whether the policy exempts the address by name: such an address may also be reached without TLS. */
  isExempt(address: string): boolean;
  /** Whether the policy exempts anything at all. */
  readonly hasExemptions: boolean;
}

/**
 * Address rules with the networks that a policy exempts from refusal.
 * @param allow networks in CIDR notation, for example `127.0.0.0/8`
 * @throws Error for a text that is no network: a policy is configuration, so this is a fault at start-up
 */
export function addressRules(allow: readonly string[]): AddressRules {
  const exempt = allow.map(parseNetwork);
  return {
    hasExemptions: exempt.length > 0,
    isExempt(text) {
      const address = parseAddress(text);
      return address !== null && !within(address, metadata) && within(address, exempt);
    },
    refusal(text) {
      const address = parseAddress(text);
      if (address === null) return 'unparseable';
      if (within(address, metadata)) return 'metadata';
      return within(address, exempt) ? null : specialRange(address);
    },
  };
}

/** An address as it is connected to: the IPv4 address that a mapped or translated one carries, in its place. */
function parseAddress(text: string): Address | null {
  // A zone names an interface of this machine; ipaddr.js also reads octal and short IPv4, which no resolver answers.
  if (text.includes('%') || !(ipaddr.IPv6.isValid(text) || ipaddr.IPv4.isValidFourPartDecimal(text))) return null;
  const address = ipaddr.parse(text);
  return within(address, carriers) ? ipaddr.fromByteArray(address.toByteArray().slice(12)) : address;
}

/** The special-purpose range an address lies in (RFC 6890, IANA registries), or null for a public one. */
function specialRange(address: Address): string | null {
  // ipaddr.js calls everything it does not know "unicast"; outside 2000::/3 nothing in IPv6 is (RFC 4291).
  if (address.kind() === 'ipv6' && !within(address, [globalUnicast])) return 'not global unicast';
  const range = address.range();
  return range === 'unicast' ? null : range;
}

function within(address: Address, networks: readonly Network[]): boolean {
  return networks.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits));
}

function parseNetwork(text: string): Network {
  return ipaddr.parseCIDR(text);
}

import { internetAddress } from '../internet-address.ts';

/** Groups of sixteen bits that name a network of IPv6: the rest is its owner's to choose (RFC 4291 section 2.5.1). */
const NETWORK_GROUPS = 4;

/**
 * What attempts from a client's address are counted by. An IPv4 address is its owner; of IPv6 everybody has 2^64 addresses
 * and may take another one for each attempt, so the /64 counts. A text that is no address, as a back end may tell, counts as it is.
 */
export function networkOf(address: string): string {
  const [plain = ''] = address.trim().toLowerCase().split('%', 1);
  const known = internetAddress(plain);
  if (!known?.includes(':')) return known ?? plain;
  return `${groupsOf(known).slice(0, NETWORK_GROUPS).join(':')}::/64`;
}

/** The eight groups of an IPv6 address in its one spelling, each without leading zeros. */
function groupsOf(address: string): string[] {
  const [front = '', back] = address.split('::', 2);
  const [first, last] = [front, back ?? ''].map((part) => (part === '' ? [] : part.split(':'))) as [string[], string[]];
  return [...first, ...Array.from({ length: 8 - first.length - last.length }, () => '0'), ...last];
}

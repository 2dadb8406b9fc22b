import { internetAddress } from '../internet-address.ts';

/** Groups of sixteen bits that identify an IPv6 network: its owner chooses the rest (RFC 4291 section 2.5.1). */
const NETWORK_GROUPS = 4;

/**
 * The key by which attempts from a client's address are counted. An IPv4 address identifies its owner. A client with IPv6
 * has 2^64 addresses and may use another one for each attempt, so its /64 network is counted. A text that is not an
 * address, which a back end may send, is counted unchanged.
 */
export function computeNetwork(address: string): string {
  const [plain = ''] = address.trim().toLowerCase().split('%', 1);
  const known = internetAddress(plain);
  if (!known?.includes(':')) return known ?? plain;
  return `${splitGroups(known).slice(0, NETWORK_GROUPS).join(':')}::/64`;
}

/** The eight groups of a canonical IPv6 address, each without leading zeros. */
function splitGroups(address: string): string[] {
  const [front = '', back] = address.split('::', 2);
  const [first, last] = [front, back ?? ''].map((part) => (part === '' ? [] : part.split(':'))) as [string[], string[]];
  return [...first, ...Array.from({ length: 8 - first.length - last.length }, () => '0'), ...last];
}

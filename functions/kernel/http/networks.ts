import { Failure, general } from '../errors.ts';
import { internetAddress } from '../internet-address.ts';
import { perSettings } from '../settings.ts';

const CIDR = /^(?<address>[\da-f.:]+)\/(?<length>\d{1,3})$/i;

/** A network: the bits of an IPv4 or IPv6 address, and the number of them that its addresses share. */
interface Network {
  bits: bigint;
  length: number;
  size: 32 | 128;
}

const isIpv6 = (address: string): boolean => address.includes(':');

/** The bits of an address in its canonical spelling, and their number. */
function readBits(address: string): Pick<Network, 'bits' | 'size'> {
  if (!isIpv6(address)) {
    const bits = address.split('.').reduce((sum, part) => (sum << 8n) | BigInt(part), 0n);
    return { bits, size: 32 };
  }
  const [first = [], last = []] = address.split('::').map((half) => (half === '' ? [] : half.split(':')));
  const groups = [...first, ...Array.from({ length: 8 - first.length - last.length }, () => '0'), ...last];
  return { bits: groups.reduce((sum, group) => (sum << 16n) | BigInt(`0x${group}`), 0n), size: 128 };
}

/**
 * Parses a network in CIDR notation (RFC 4632, RFC 4291 section 2.3).
 * @returns undefined for any other text, and for IPv4 addresses in IPv6, which are written as IPv4
 */
export function parseNetwork(text: string): Network | undefined {
  const { address: given = '', length: digits = '' } = CIDR.exec(text)?.groups ?? {};
  const address = internetAddress(given);
  if (address === undefined || isIpv6(given) !== isIpv6(address)) return undefined;
  const { bits, size } = readBits(address);
  return Number(digits) <= size ? { bits, size, length: Number(digits) } : undefined;
}

function contains({ bits, length, size }: Network, address: string): boolean {
  const other = readBits(address);
  const rest = BigInt(size - length);
  return other.size === size && other.bits >> rest === bits >> rest;
}

const admitted: () => readonly Network[] = perSettings(({ GATEHOUSE_CONSOLE_NETWORKS: networks }) =>
  networks.map((text) => {
    const network = parseNetwork(text);
    // A function with a network that cannot be read admits no one.
    if (network === undefined) throw new Error(`GATEHOUSE_CONSOLE_NETWORKS: ${text} is no network in CIDR notation`);
    return network;
  }),
);

/**
 * Checks that a client is in one of the networks that may reach the console; all may if none is named.
 * @param address the client's address as the gateway reports it, never one of a header
 * @throws Failure 403
 */
export function rejectOtherNetworks(address: string): void {
  const networks = admitted();
  if (networks.length === 0) return;
  const known = internetAddress(address);
  if (known !== undefined && networks.some((network) => contains(network, known))) return;
  throw new Failure(general.forbidden, {
    message:
      `The console is not open to the network of your address ${known ?? address}. Use a network that is, such as that of your company. ` +
      'Who can deploy the stage adds a network with -c consoleNetworks=CIDR,…, or removes the setting.',
  });
}

import { BlockList, isIPv6 } from 'node:net';

import { Failure, general } from '../errors.ts';
import { internetAddress } from '../internet-address.ts';
import { perSettings } from '../settings.ts';

const CIDR = /^(?<address>[\da-f.:]+)\/(?<length>\d{1,3})$/i;

/** A network: an IPv4 or IPv6 address and the length of its prefix in bits. */
interface Network {
  address: string;
  length: number;
  family: 'ipv4' | 'ipv6';
}

/**
 * Parses a network in CIDR notation (RFC 4632, RFC 4291 section 2.3).
 * @returns undefined for any other text, and for IPv4 addresses in IPv6, which are written as IPv4
 */
export function parseNetwork(text: string): Network | undefined {
  const { address: given = '', length: digits = '' } = CIDR.exec(text)?.groups ?? {};
  const address = internetAddress(given);
  const length = Number(digits);
  if (address === undefined || isIPv6(given) !== isIPv6(address)) return undefined;
  const family = isIPv6(address) ? 'ipv6' : 'ipv4';
  return digits !== '' && length <= (family === 'ipv6' ? 128 : 32) ? { address, length, family } : undefined;
}

const admitted: () => BlockList | undefined = perSettings(({ GATEHOUSE_CONSOLE_NETWORKS: networks }) => {
  if (networks.length === 0) return undefined;
  const list = new BlockList();
  for (const text of networks) {
    const network = parseNetwork(text);
    // A function with a network that cannot be read admits nobody.
    if (network === undefined) throw new Error(`GATEHOUSE_CONSOLE_NETWORKS: ${text} is no network in CIDR notation`);
    list.addSubnet(network.address, network.length, network.family);
  }
  return list;
});

/**
 * Checks that a client is in one of the networks that may reach the console.
 * @param address the client's address as the gateway reports it, never one of a header
 * @throws Failure 403
 */
export function rejectOtherNetworks(address: string): void {
  const list = admitted();
  if (list === undefined) return;
  const known = internetAddress(address);
  if (known !== undefined && list.check(known, isIPv6(known) ? 'ipv6' : 'ipv4')) return;
  throw new Failure(general.forbidden, {
    message:
      `The console is not open to the network of your address ${known ?? address}. Use a network that is, such as that of your company. ` +
      'Who can deploy the stage adds a network with -c consoleNetworks=CIDR,…, or removes the setting.',
  });
}

import ipaddr from 'ipaddr.js';

import { Failure, general } from '../errors.ts';
import { internetAddress } from '../internet-address.ts';
import { type Network, readNetwork, within } from '../internet-network.ts';
import { perSettings } from '../settings.ts';

const CIDR = /^(?<address>[\da-f.:]+)\/(?<length>\d{1,3})$/i;

/**
 * Parses a network in CIDR notation (RFC 4632, RFC 4291 section 2.3).
 * @returns undefined for any other text, and for IPv4 addresses in IPv6, which are written as IPv4
 */
export function parseNetwork(text: string): Network | undefined {
  const { address: given = '', length = '' } = CIDR.exec(text)?.groups ?? {};
  const address = internetAddress(given);
  if (address === undefined || given.includes(':') !== address.includes(':')) return undefined;
  const cidr = `${address}/${length}`;
  return ipaddr.isValidCIDR(cidr) ? readNetwork(cidr) : undefined;
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
  if (known !== undefined && within(ipaddr.parse(known), networks)) return;
  throw new Failure(general.forbidden, {
    message:
      `The console is not open to the network of your address ${known ?? address}. Use a network that is, such as that of your company. ` +
      'Who can deploy the stage adds a network with -c consoleNetworks=CIDR,…, or removes the setting.',
  });
}

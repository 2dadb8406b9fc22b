import ipaddr from 'ipaddr.js';

import { emailAddress, normalizeEmail } from '../../../kernel/address.ts';
import { internetAddress } from '../../../kernel/internet-address.ts';
import { readNetwork, within } from '../../../kernel/internet-network.ts';
import type { ListType } from '../engine/controls.ts';
import { canonicalEmail, readDomain, domainsAbove } from '../engine/email.ts';

/** Maximum length of an entry. */
const MAX_ENTRY = 512;

/** A network in the form in which two are equal: its first address and the length of its prefix. */
function network(text: string): string | undefined {
  const [, address = '', prefix = ''] = /^([^/]+)\/(\d{1,3})$/.exec(text.toLowerCase()) ?? [];
  const known = internetAddress(address);
  if (known === undefined) return undefined;
  const length = Number(prefix);
  const isWide = length > (known.includes(':') ? 128 : 32);
  if (isWide || length === 0) return undefined;
  const class_ = known.includes(':') ? ipaddr.IPv6 : ipaddr.IPv4;
  const first = class_.networkAddressFromCIDR(`${known}/${length}`).toString();
  const full = internetAddress(first) ?? first;
  return length === (known.includes(':') ? 128 : 32) ? full : `${full}/${length}`;
}

const domain = (text: string): string | undefined => {
  const address = emailAddress(`someone@${text.replace(/^@/, '')}`);
  return address === undefined ? undefined : readDomain(address);
};

const bounded = (text: string): string | undefined => (text !== '' && text.length <= MAX_ENTRY ? text : undefined);

/**
 * The form in which an entry is stored and compared: an address or a network in its canonical spelling, an email as its
 * mailbox, a domain in ASCII, a country in upper case; other texts are only trimmed.
 * @returns undefined if the text is not an entry of the type
 */
export function normalizeEntry(type: ListType, text: string): string | undefined {
  const trimmed = text.trim();
  switch (type) {
    case 'ip_address':
      return trimmed.includes('/') ? network(trimmed) : internetAddress(trimmed.toLowerCase());
    case 'email':
      return canonicalEmail(trimmed);
    case 'domain':
      return domain(trimmed.toLowerCase());
    case 'country':
      return /^[a-z]{2}$/i.test(trimmed) ? trimmed.toUpperCase() : undefined;
    default:
      return bounded(trimmed);
  }
}

/** An example of an entry for each type, which the error of an invalid entry shows. */
export const EXPECTED: Readonly<Record<ListType, string>> = {
  ip_address: 'an address or a network, such as 203.0.113.7, 203.0.113.0/24 or 2001:db8::/32',
  domain: 'a domain, such as example.com',
  email: 'an email address',
  device: `up to ${MAX_ENTRY} characters`,
  user_agent: `up to ${MAX_ENTRY} characters`,
  device_fingerprint: `up to ${MAX_ENTRY} characters`,
  country: 'an ISO 3166-1 code of two letters, such as DE',
};

/** The data of an attempt that lists are compared with. */
export interface Listed {
  /** The address in its canonical spelling; absent if it is not known. */
  address?: string | undefined;
  /** The email as the request has it, before it is normalized. */
  email: string;
  device?: string | undefined;
  userAgent?: string | null | undefined;
  country?: string | undefined;
}

/** The entries that an attempt would match if a list has them, without those of {@link isWide}. */
export function matchingEntries({ address, email, device, userAgent }: Listed): [ListType, string][] {
  const mailbox = canonicalEmail(email);
  const domains = mailbox === undefined ? [] : domainsAbove(readDomain(normalizeEmail(email) ?? mailbox));
  const agent = userAgent === null || userAgent === undefined ? undefined : bounded(userAgent.trim());
  const entries: [ListType, string | undefined][] = [
    ['ip_address', address],
    ['email', mailbox],
    ...domains.map((each): [ListType, string] => ['domain', each]),
    ['device', device],
    ['device_fingerprint', device],
    ['user_agent', agent],
  ];
  return entries.filter((entry): entry is [ListType, string] => entry[1] !== undefined);
}

/** Reports whether an entry is a network with a prefix or a country, which are compared one by one. */
export const isWide = (type: ListType, entry: string): boolean =>
  type === 'country' ? /^[A-Z]{2}$/.test(entry) : type === 'ip_address' && entry.includes('/');

/** Reports whether a network contains an address; both in canonical spelling. */
export function contains(cidr: string, address: string): boolean {
  return within(ipaddr.parse(address), [readNetwork(cidr)]);
}

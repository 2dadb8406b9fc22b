import ipaddr from 'ipaddr.js';

import { internetAddress } from '../../../kernel/internet-address.ts';
import type { Place } from '../engine/travel.ts';

/** A range of addresses with its location. Both ends belong to it, as 32 hexadecimal digits. */
export interface Range extends Place {
  start: string;
  end: string;
}

/** Two addresses, the country, and latitude and longitude in hundredths of a degree. */
const RANGE_BYTES = 16 + 16 + 2 + 2 + 2;

/** Number of ranges in a page, which with its keys is one read unit of 4 KB (base64 takes a third more). */
export const RANGES_PER_PAGE = 70;

/** The number of hundredths of a degree that means that there are no coordinates. */
const NONE = -0x8000;

/**
 * An IP address as 32 hexadecimal digits, which sort in the order of the addresses. IPv4 is mapped to IPv6. Returns
 * undefined for other texts.
 */
export function sortableAddress(text: string): string | undefined {
  const address = internetAddress(text);
  if (address === undefined) return undefined;
  const parsed = ipaddr.parse(address);
  const wide = parsed instanceof ipaddr.IPv4 ? parsed.toIPv4MappedAddress() : parsed;
  return Buffer.from(wide.toByteArray()).toString('hex');
}

/** The ranges of a page, packed. */
export function packRanges(ranges: readonly Range[]): string {
  const bytes = Buffer.alloc(ranges.length * RANGE_BYTES);
  for (const [at, { start, end, country, latitude, longitude }] of ranges.entries()) {
    const from = at * RANGE_BYTES;
    bytes.write(start, from, 'hex');
    bytes.write(end, from + 16, 'hex');
    bytes.write(country, from + 32, 2, 'ascii');
    bytes.writeInt16BE(latitude === undefined ? NONE : Math.round(latitude * 100), from + 34);
    bytes.writeInt16BE(longitude === undefined ? NONE : Math.round(longitude * 100), from + 36);
  }
  return bytes.toString('base64');
}

/** The location of an address in a page; undefined if no range contains it. It takes some 10 µs. */
export function placeIn(packed: string, address: string): Place | undefined {
  const bytes = Buffer.from(packed, 'base64');
  for (let from = 0; from < bytes.length; from += RANGE_BYTES) {
    const hex = (offset: number) => bytes.toString('hex', from + offset, from + offset + 16);
    if (hex(0) > address) return undefined;
    if (hex(16) < address) continue;
    const degrees = (offset: number) => {
      const value = bytes.readInt16BE(from + offset);
      return value === NONE ? undefined : value / 100;
    };
    const country = bytes.toString('ascii', from + 32, from + 34);
    return { country, latitude: degrees(34), longitude: degrees(36) };
  }
  return undefined;
}

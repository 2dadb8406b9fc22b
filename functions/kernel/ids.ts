import { decodeTime, monotonicFactory } from 'ulid';

import { clock } from './clock.ts';

/**
 * `<prefix>_<ULID>`: 26 characters of Crockford base32 of which the first ten are the millisecond, so ids sort by
 * creation and an id is its own position in a list (contract: wire.md, Identifiers).
 */
const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

let mintUlid = monotonicFactory();
let mintEpoch = 0;

/** A ULID of the kernel's clock; within one process each is greater than the one before. */
export function newUlid(): string {
  if (mintEpoch !== clock.epoch()) {
    mintEpoch = clock.epoch();
    mintUlid = monotonicFactory();
  }
  return mintUlid(clock.now());
}

/** A new id of a kind of record, such as `newId('org')`. */
export function newId<const P extends string>(prefix: P): `${P}_${string}` {
  return `${prefix}_${newUlid()}`;
}

/** Whether a text has the shape of an id of this kind; says nothing of a record's existence. */
export function isId(prefix: string, text: string): boolean {
  return text.startsWith(`${prefix}_`) && ULID.test(text.slice(prefix.length + 1));
}

/** The ULID within an id. */
export function ulidOf(id: string): string {
  return id.slice(id.lastIndexOf('_') + 1);
}

/** When an id was minted, in milliseconds since the Unix epoch. */
export function timeOf(id: string): number {
  return decodeTime(ulidOf(id));
}

/** The smallest ULID of a millisecond: a bound for time ranges over ids. */
export function firstUlidAt(milliseconds: number): string {
  const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
  let time = Math.max(0, Math.floor(milliseconds));
  let text = '';
  for (let place = 0; place < 10; place += 1) {
    text = alphabet.charAt(time % 32) + text;
    time = Math.floor(time / 32);
  }
  return text.padEnd(26, '0');
}

import { randomBytes, randomFillSync } from 'node:crypto';

import { decodeTime, monotonicFactory } from 'ulid';

import { clock } from './clock.ts';

/**
 * `<prefix>_<ULID>`: 26 characters of Crockford base32 of which the first ten are the millisecond, so ids sort by
 * creation and an id is its own position in a list (contract: wire.md, Identifiers).
 */
const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

/** Random bytes in stock: an id takes sixteen of them one by one, and drawing one costs as much as drawing all of these. */
const stock = new Uint8Array(1_024);
let used = stock.length;

/** A fraction from 0 up to 1, in 256 steps: its digit of base32 is one of eight equally likely bytes. */
function randomFraction(): number {
  if (used === stock.length) {
    randomFillSync(stock);
    used = 0;
  }
  return (stock[used++] ?? 0) / 256;
}

let mintUlid = monotonicFactory(randomFraction);
let mintEpoch = 0;

/** A ULID of the kernel's clock; within one process each is greater than the one before. */
export function newUlid(): string {
  if (mintEpoch !== clock.epoch()) {
    mintEpoch = clock.epoch();
    mintUlid = monotonicFactory(randomFraction);
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

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const COUNTER_LIMIT = 0x1000;

let lastUuid = { time: 0, counter: 0, epoch: 0 };

/**
 * A UUID of version 7 (RFC 9562 section 5.7) of the kernel's clock, in lower case, so that these ids sort by creation
 * as text too; within one process each is greater than the one before (section 6.2, method 1).
 */
export function newUuid(): string {
  const epoch = clock.epoch();
  const now = clock.now();
  const isLater = epoch !== lastUuid.epoch || now > lastUuid.time;
  let { time, counter } = isLater ? { time: now, counter: 0 } : { ...lastUuid, counter: lastUuid.counter + 1 };
  if (counter === COUNTER_LIMIT) [time, counter] = [time + 1, 0];
  lastUuid = { time, counter, epoch };
  const random = randomBytes(8);
  random[0] = ((random[0] ?? 0) & 0x3f) | 0x80;
  const hex = time.toString(16).padStart(12, '0') + (0x7000 | counter).toString(16) + random.toString('hex');
  return uuidText(hex);
}

/** The usual spelling of the 32 hexadecimal digits of a UUID. */
export const uuidText = (hex: string): string =>
  [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join('-');

/** Whether a text is a UUID as this service writes it. */
export const isUuid = (text: string): boolean => UUID.test(text);

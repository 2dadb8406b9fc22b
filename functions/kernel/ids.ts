import { randomBytes, randomFillSync } from 'node:crypto';

import { monotonicFactory } from 'ulid';

import { clock } from './clock.ts';
import { uuidText } from './id-format.ts';

/**
 * Number of random bytes drawn at once. An id needs sixteen, one by one, and drawing one takes as long as drawing all of
 * these.
 */
const stock = new Uint8Array(1_024);
let used = stock.length;

/** Returns a fraction from 0 to 1 (excluded), in 256 steps, so that each of the 32 digits of base32 is equally likely. */
function randomFraction(): number {
  if (used === stock.length) {
    randomFillSync(stock);
    used = 0;
  }
  return (stock[used++] ?? 0) / 256;
}

let mintUlid = monotonicFactory(randomFraction);
let mintEpoch = 0;

/** Makes a ULID with the time of the kernel's clock. Within one process each is greater than the one before. */
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

const COUNTER_LIMIT = 0x1000;

let lastUuid = { time: 0, counter: 0, epoch: 0 };

/**
 * Makes a UUID of version 7 (RFC 9562 section 5.7) with the time of the kernel's clock, in lower case, so that these ids
 * sort by creation as text too. Within one process each is greater than the one before (section 6.2, method 1).
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

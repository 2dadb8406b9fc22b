/**
 * Counts of a row in buckets of a minute, an hour and a day. A bucket is an attribute whose name contains its number, so
 * that one UpdateItem counts in the current buckets, removes old ones and returns all, without an earlier read.
 */

/** The lengths of buckets in milliseconds, by the letter in their names. */
const LENGTHS = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

type Length = keyof typeof LENGTHS;

/** The kinds of counts by the letter in their names: attempts, successes, sign-ups, and positions of emails. */
const KEPT = { a: ['m', 'h', 'd'], s: ['h'], u: ['d'], e: ['h', 'd'] } as const satisfies Record<
  string,
  readonly Length[]
>;

type Kind = keyof typeof KEPT;

/**
 * Number of positions at which emails are marked. The number of emails is estimated by the share of free positions (linear
 * counting).
 */
export const POSITIONS = 256;

/** Number of old buckets that each update removes. A row without updates for a longer time keeps a few until it expires. */
const REMOVED = 4;

/** Number of old buckets from which a row is cleaned by a separate update. */
export const MAX_OLD = 24;

/** A row as DynamoDB returns it: numbers, texts, and sets of positions. */
export type Row = Readonly<Record<string, unknown>>;

const BUCKET = /^([asue])_([mhd])_(\d+)$/;

const numberAt = (length: Length, now: number): number => Math.floor(now / LENGTHS[length]);

/** The names of the current buckets of a kind. */
export const currentBuckets = (kind: Kind, now: number): string[] =>
  KEPT[kind].map((length) => `${kind}_${length}_${numberAt(length, now)}`);

/** The names of the buckets that an update removes: those before the last two of each kind. */
export function endedBuckets(now: number): string[] {
  return Object.entries(KEPT).flatMap(([kind, lengths]) =>
    lengths.flatMap((length) =>
      Array.from({ length: REMOVED }, (_, at) => `${kind}_${length}_${numberAt(length, now) - 2 - at}`),
    ),
  );
}

/** The buckets of a row that ended before the last two. */
export const oldBuckets = (row: Row, now: number): string[] =>
  Object.keys(row).filter((name) => {
    const [, , length, number] = BUCKET.exec(name) ?? [];
    return length !== undefined && Number(number) < numberAt(length as Length, now) - 1;
  });

/** The part of the last bucket that is still within the window: 1 when the current one begins, 0 when it ends. */
const share = (length: Length, now: number): number => 1 - (now % LENGTHS[length]) / LENGTHS[length];

/** The count of a window that ends now: the current bucket, and the last one in proportion. */
function count(row: Row, kind: Kind, length: Length, now: number): number {
  const at = (back: number) => Number(row[`${kind}_${length}_${numberAt(length, now) - back}`] ?? 0);
  return at(0) + Math.floor(at(1) * share(length, now));
}

const marked = (row: Row, name: string): ReadonlySet<number> => {
  const found = row[name];
  return found instanceof Set ? (found as Set<number>) : new Set();
};

/** The estimated number of different emails of a window: exact for a few, and at most some 1,400. */
function estimate(row: Row, length: Length, now: number): number {
  const number = numberAt(length, now);
  const current = marked(row, `e_${length}_${number}`);
  const before = [...marked(row, `e_${length}_${number - 1}`)].filter((position) => !current.has(position));
  const taken = current.size + Math.floor(before.length * share(length, now));
  return Math.round(-POSITIONS * Math.log(Math.max(1, POSITIONS - taken) / POSITIONS));
}

/** The counts of a subject. */
export interface Counts {
  attemptsMinute: number;
  attemptsHour: number;
  attemptsDay: number;
  unconfirmedHour: number;
  signUpsDay: number;
  emailsHour: number;
  emailsDay: number;
}

/** The counts of a row at a time in milliseconds since the epoch. */
export const computeCounts = (row: Row, now: number): Counts => ({
  attemptsMinute: count(row, 'a', 'm', now),
  attemptsHour: count(row, 'a', 'h', now),
  attemptsDay: count(row, 'a', 'd', now),
  unconfirmedHour: Math.max(0, count(row, 'a', 'h', now) - count(row, 's', 'h', now)),
  signUpsDay: count(row, 'u', 'd', now),
  emailsHour: estimate(row, 'h', now),
  emailsDay: estimate(row, 'd', now),
});

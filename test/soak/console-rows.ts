/** The users and events of the soak of the console: a few by the entities' code, and many as copies of the engine's rows. */
import { systemActor } from '../../functions/kernel/authentication/caller.ts';
import { DAY_MS } from '../../functions/kernel/durations.ts';
import { events } from '../../functions/kernel/events/entity.ts';
import { choosePartition, subjectPartition } from '../../functions/kernel/events/partitions.ts';
import { firstUlidAt } from '../../functions/kernel/id-format.ts';
import { BATCH, type BatchRequest, writeBatch } from '../../functions/kernel/storage/batch.ts';
import { addPhone, PHONE_WORDS, reverse } from '../../functions/kernel/storage/phone-words.ts';
import { ENVIRONMENT_OWNER, ownerKey } from '../../functions/kernel/storage/record.ts';
import { addWord } from '../../functions/kernel/storage/search.ts';
import { placeWord } from '../../functions/kernel/storage/search-places.ts';
import { claim } from '../../functions/kernel/storage/unique.ts';
import type { Write } from '../../functions/kernel/storage/write.ts';
import { factors } from '../../functions/proofs/mfa/factor/entity.ts';
import { findUserWords } from '../../functions/record/modules/search/user-words/rules.ts';
import { presentUser } from '../../functions/tenancy/modules/users/public.ts';
import { emailOf, users as userRows } from '../../functions/tenancy/modules/users/user/entity.ts';
import { EngineRows, listKeys, type Written } from './engine-rows.ts';
import { print } from './scenario.ts';

/** Numbers of users and events. */
export interface Size {
  users: number;
  events: number;
}

/** Number of users of the baseline, and of the events of each of them, so that a timeline is as long with few users as with many. */
export const FEW = 1_000;
const EVENTS_OF_EACH = 20;
/** The time of fewer copies is not printed. */
const MANY = 50_000;
/** One user in this many has a phone number. */
const PHONE_EVERY = 10;
/** One event in this many is of the organization, and the others are of users. */
const ORGANIZATION_EVERY = 4;

export const organizationId = `org_${firstUlidAt(Date.parse('2020-01-01T00:00:00Z'))}`;
const FIRST_USER = Date.parse('2020-01-01T00:00:01Z');
export const makeId = (n: number): string => `user_${firstUlidAt(FIRST_USER + n * 1_000)}`;
export const makePhone = (n: number): string => `+4915${String(10_000_000 + n)}`;

/** Common and rare words of names: one user in 50 has the same first name, and one in 2,000 the same last name. */
const FIRST = Array.from(
  { length: 50 },
  (_, at) => `Name${String.fromCodePoint(97 + (at % 26), 97 + Math.floor(at / 26))}`,
);
export const nameUser = (n: number) => ({
  email: `person-${n}@${n % 3 === 0 ? 'example.com' : `company-${n % 997}.example`}`,
  firstName: FIRST[n % FIRST.length] ?? '',
  lastName: `Fam${(n * 7_919) % 2_000}ily`,
});

/** The environment of the rows, and the time before which the events are. */
export interface World {
  environmentId: string;
  now: number;
}

/** A kind of records: the writes of a record with these values, and values that are in no other row. */
interface Kind {
  make: (world: World, values: readonly string[]) => Write[];
  example: readonly string[];
}

function makeUser(
  { environmentId }: World,
  [id = '', email = '', firstName = '', lastName = '', at = '']: readonly string[],
) {
  const named = { email, firstName, lastName };
  const row = { environmentId, id, owner: ENVIRONMENT_OWNER, ...named, emailVerified: true, metadata: {} };
  return userRows.create(row, at, at);
}

/** The shard of the list of users in which a user is. */
const findShard = (id: string): string =>
  userRows.create({ environmentId: '', id, email: '', emailVerified: true, metadata: {} }).record.listShard;

const EXAMPLE_AT = Date.parse('2001-02-03T04:05:06.789Z');
const PERSON = [
  `user_${firstUlidAt(EXAMPLE_AT)}`,
  'specimen@sample.invalid',
  'Exemplum',
  'Parentis',
  new Date(EXAMPLE_AT).toISOString(),
] as const;
const FACTOR_ID = `auth_factor_${firstUlidAt(EXAMPLE_AT + 1)}`;

/** The record of a user, and its address. */
const USER: Kind = {
  make: (world, values) => {
    const { record, write } = makeUser(world, values);
    return [write, claim(emailOf(world.environmentId, record.email), record.id, ENVIRONMENT_OWNER)];
  },
  example: [...PERSON, findShard(PERSON[0])],
};

const FACTOR: Kind = {
  make: ({ environmentId }, [id = '', userId = '', phoneNumber = '']) => [
    factors.create({ environmentId, id, owner: ownerKey('user', userId), userId, type: 'sms', phoneNumber }).write,
  ],
  example: [FACTOR_ID, PERSON[0], '+19995550000'],
};

/** A word of a user, or the phone number of a factor: its place, the word, the record, the user and the text. */
const WORD: Kind = {
  make: ({ environmentId }, [place = '', word = '', id = '', userId = '', text = '']) => [
    place.startsWith(PHONE_WORDS)
      ? addPhone({ environmentId, id, owner: ownerKey('user', userId) }, text)
      : addWord({ environmentId, kind: 'user', id, owner: ownerKey('user', userId) }, word, text),
  ],
  example: [placeWord('user', 'zqword', FACTOR_ID), 'zqword', FACTOR_ID, PERSON[0], 'sampletext'],
};

const CONTEXT = JSON.stringify({ actor: systemActor });

/** An event: its id, partition, list of its subject and time, and the user in its payload, which the reads check. */
const EVENT: Kind = {
  make: (world, [id = '', partition = '', subject = '', at = '', ...user]) => {
    const { environmentId, now } = world;
    const data = JSON.stringify(presentUser(makeUser(world, user).record));
    const fields = { environmentId, id, partition, data, context: CONTEXT, subject, name: 'user.updated' as const };
    return [events.create({ ...fields, expiresAt: Math.floor(now / 1_000) + 86_400 }, at).write];
  },
  example: [
    `event_${firstUlidAt(EXAMPLE_AT + 2)}`,
    'samplepartition',
    'samplesubject',
    new Date(EXAMPLE_AT + DAY_MS).toISOString(),
    ...PERSON,
  ],
};

function computeUser(n: number): string[] {
  const { email, firstName, lastName } = nameUser(n);
  return [makeId(n), email, firstName, lastName, new Date(FIRST_USER + n * 1_000).toISOString()];
}

/** The values of a user's row, with the shard of the list in which it is. */
const computeUserRow = (n: number): string[] => [...computeUser(n), findShard(makeId(n))];

const makeFactorId = (n: number): string => makeId(n).replace('user_', 'auth_factor_');
const computeFactors = (n: number): string[][] =>
  n % PHONE_EVERY === 0 ? [[makeFactorId(n), makeId(n), makePhone(n)]] : [];

function computeWord(n: number, word: string, text = findUserWords(nameUser(n)).text): string[] {
  const id = makeId(n);
  return [placeWord('user', word, id), word, id, id, text];
}

const listWords = (n: number): string[] => findUserWords(nameUser(n)).words;

function computePhones(n: number): string[][] {
  if (n % PHONE_EVERY !== 0) return [];
  const [id, phone] = [makeFactorId(n), makePhone(n)];
  const word = reverse(phone.replaceAll(/\D/g, ''));
  return [[placeWord(PHONE_WORDS, word, id), word, id, makeId(n), phone]];
}

/** The values of the nth event. The events are spread over 79 of the last 80 days. */
function computeEvent({ now }: World, total: Size, n: number): string[] {
  const users = n < FEW * EVENTS_OF_EACH ? FEW : total.users;
  const at = now - 80 * DAY_MS + Math.floor((n * 79 * DAY_MS) / total.events);
  const id = `event_${firstUlidAt(at)}`;
  const partition = choosePartition(id);
  const subject =
    n % ORGANIZATION_EVERY === 0
      ? ({ kind: 'organization', key: organizationId } as const)
      : ({ kind: 'user', key: makeId(rankOfUsers(n) % users) } as const);
  return [id, partition, subjectPartition(subject, partition), new Date(at).toISOString(), ...computeUser(n % users)];
}

/** The number of events of users before the nth event. */
const rankOfUsers = (n: number): number => n - Math.floor(n / ORGANIZATION_EVERY) - 1;

/** The numbers of users and events of the baseline in a world of a size. */
export const computeFew = ({ events: count }: Size): Size => ({
  users: FEW,
  events: Math.min(FEW * EVENTS_OF_EACH, count),
});

/** The values of rows of each kind that the table's API writes; other rows are copies of the first, and are compared with the others. */
function computeWritten(world: World, total: Size): Map<Kind, string[][]> {
  const users = [0, 7, FEW - 1];
  const events = [0, 1, 2, computeFew(total).events - 1];
  const words = users.flatMap((n) => listWords(n).map((word) => computeWord(n, word)));
  return new Map([
    [USER, users.map(computeUserRow)],
    [FACTOR, computeFactors(PHONE_EVERY)],
    [WORD, [...words, ...computePhones(PHONE_EVERY)]],
    [EVENT, events.map((n) => computeEvent(world, total, n))],
  ]);
}

/** Writes an example of each kind, which no search or list finds, and some of the rows of a world by the table's API. */
export async function writeSamples(world: World, total: Size): Promise<void> {
  const requests = [...computeWritten(world, total)].flatMap(([{ make, example }, samples]) =>
    [example, ...samples].flatMap((values) =>
      make(world, values).map(({ params }): BatchRequest => ({ PutRequest: { Item: params.Item ?? {} } })),
    ),
  );
  for (let at = 0; at < requests.length; at += BATCH) await writeBatch(requests.slice(at, at + BATCH));
}

function* count(from: number, to: number): Generator<number> {
  for (let n = from; n < to; n += 1) yield n;
}

/** The values of the words of users, in the order of the words, in which a table stores them. */
function* generateWords(from: number, to: number): Generator<string[]> {
  const rows: string[] = [];
  const texts: string[] = [];
  for (const n of count(from, to)) {
    const { words, text } = findUserWords(nameUser(n));
    texts.push(text);
    for (const word of words) rows.push(`${word}#${n}`);
  }
  rows.sort();
  for (const row of rows) {
    const at = row.lastIndexOf('#');
    const n = Number(row.slice(at + 1));
    yield computeWord(n, row.slice(0, at), texts[n - from]);
  }
}

function* computeEach(numbers: Iterable<number>, compute: (n: number) => string[][]): Generator<string[]> {
  for (const n of numbers) yield* compute(n);
}

/**
 * Writes the users and events into the tables of a folder, which no service uses and which has the rows of {@link writeSamples}.
 * @param fewFile A file that gets a copy of the database with the users and events of the baseline
 */
export function writeWorld(folder: string, fewFile: string, world: World, total: Size): void {
  const rows = new EngineRows(folder);
  const samples = computeWritten(world, total);
  const write = (name: string, kind: Kind, values: Iterable<string[]>): void => {
    const startedAt = performance.now();
    const written = (of: readonly string[]): Written => ({ keys: listKeys(kind.make(world, of)), values: of });
    const copy = rows.copier(written(kind.example), (samples.get(kind) ?? []).map(written));
    let copies = 0;
    for (const each of values) {
      copy(each);
      copies += 1;
    }
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(0);
    if (copies > MANY) print(`${copies.toLocaleString('en')} ${name} written in ${seconds} s`);
  };
  const writeRange = (from: Size, to: Size): void => {
    const users = (compute: (n: number) => string[][]) => computeEach(count(from.users, to.users), compute);
    const event = (n: number) => [computeEvent(world, total, n)];
    write(
      'users',
      USER,
      users((n) => [computeUserRow(n)]),
    );
    write('factors', FACTOR, users(computeFactors));
    write('words', WORD, generateWords(from.users, to.users));
    write('phone numbers', WORD, users(computePhones));
    write('events', EVENT, computeEach(count(from.events, to.events), event));
  };
  const few = computeFew(total);
  writeRange({ users: 0, events: 0 }, few);
  rows.copyTo(fewFile);
  writeRange(few, total);
  rows.close();
}

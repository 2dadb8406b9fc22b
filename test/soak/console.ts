/**
 * `npm run soak -- console`, or `node bin/run.mjs test/soak/console.ts --users N --events N` for other numbers than a million and ten
 * million: what the console reads of a large environment. Searches take at most 150 ms (p99), and searches, timelines and lists cost
 * what they cost with a thousand users. The rows are those that the entities' code makes, written in batches without a stream. The
 * area's function runs in this process.
 */
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

import { systemActor } from '../../functions/kernel/authentication/caller.ts';
import { eventsArea } from '../../functions/events/area.ts';
import { DAY_MS } from '../../functions/kernel/durations.ts';
import { events } from '../../functions/kernel/events/entity.ts';
import { choosePartition, subjectPartition } from '../../functions/kernel/events/partitions.ts';
import { clock } from '../../functions/kernel/clock.ts';
import { httpEntry } from '../../functions/kernel/http/entry.ts';
import { firstUlidAt } from '../../functions/kernel/id-format.ts';
import { sendLinesTo } from '../../functions/kernel/log.ts';
import { BATCH, type BatchRequest, writeBatch } from '../../functions/kernel/storage/batch.ts';
import { ENVIRONMENT_OWNER } from '../../functions/kernel/storage/record.ts';
import { addPhone } from '../../functions/kernel/storage/phone-words.ts';
import { addWord } from '../../functions/kernel/storage/search.ts';
import { isTransient } from '../../functions/kernel/storage/faults.ts';
import { readRow } from '../../functions/kernel/storage/together.ts';
import { claim } from '../../functions/kernel/storage/unique.ts';
import type { Write } from '../../functions/kernel/storage/write.ts';
import { factors } from '../../functions/mfa/factor/entity.ts';
import { findUserWords } from '../../functions/search/user-words/rules.ts';
import { emailOf, users as userRows } from '../../functions/users/user/entity.ts';
import { presentUser } from '../../functions/users/public.ts';
import { call } from '../kernel/http/calls.ts';
import { makeEnvironment } from '../kernel/notes/table.ts';
import { startTable } from '../support/table.ts';
import { asked, countCalls } from './consumed.ts';
import { must, print, quantile, type Scenario } from './scenario.ts';

const DEFAULT = { users: 1_000_000, events: 10_000_000 };
/** Number of users of the baseline. */
const FEW = 1_000;
/** Parallel batches. */
const WIDTH = 16;
/** Attempts to write a batch. */
const WRITE_ATTEMPTS = 10;
const WARM_UP = 20;
const READS = 200;
/** The bound of the p99 of a search, in CPU time of this process: the time on the clock is printed, but depends on what else the machine does. */
const SEARCH_MS = 150;
/** Maximum ratio of a median to the baseline: noise of two shared cores, far below the cost of a read of all rows. */
const GROWTH = 1.5;
const SLACK_MS = 2;
/** The time of one read of a row on the machine for which the bounds are, in ms of CPU. */
const READ_MS = 0.7;
const PROBES = 300;

const organizationId = `org_${firstUlidAt(Date.parse('2020-01-01T00:00:00Z'))}`;
const FIRST_USER = Date.parse('2020-01-01T00:00:01Z');
const makeId = (n: number): string => `user_${firstUlidAt(FIRST_USER + n * 1_000)}`;

/** Common and rare words of names: one user in 50 has the same first name, and one in 2,000 the same last name. */
const FIRST = Array.from(
  { length: 50 },
  (_, at) => `Name${String.fromCodePoint(97 + (at % 26), 97 + Math.floor(at / 26))}`,
);
const nameUser = (n: number) => ({
  email: `person-${n}@${n % 3 === 0 ? 'example.com' : `company-${n % 997}.example`}`,
  firstName: FIRST[n % FIRST.length] ?? '',
  lastName: `Fam${(n * 7_919) % 2_000}ily`,
});
const CONTEXT = JSON.stringify({ actor: systemActor });
const makePhone = (n: number): string => `+4915${String(10_000_000 + n)}`;

/** The nth user, and the write of its row. */
function makeRecord(environmentId: string, n: number) {
  const createdAt = new Date(FIRST_USER + n * 1_000).toISOString();
  const row = {
    environmentId,
    id: makeId(n),
    owner: ENVIRONMENT_OWNER,
    ...nameUser(n),
    emailVerified: true,
    metadata: {},
  };
  return userRows.create(row, createdAt, createdAt);
}

/** The rows of the nth user: the record, its address, its words and, for one in ten, a factor with its phone number. */
function makeUser(environmentId: string, n: number): Write[] {
  const id = makeId(n);
  const named = nameUser(n);
  const { words, text } = findUserWords(named);
  const owner = `user#${id}`;
  const factorId = id.replace('user_', 'auth_factor_');
  const phoneNumber = makePhone(n);
  const factor = { environmentId, id: factorId, owner, userId: id, type: 'sms' as const, phoneNumber };
  return [
    makeRecord(environmentId, n).write,
    claim(emailOf(environmentId, named.email), id, ENVIRONMENT_OWNER),
    ...words.map((word) => addWord({ environmentId, kind: 'user', id, owner }, word, text)),
    ...(n % 10 === 0
      ? [factors.create(factor).write, addPhone({ environmentId, id: factorId, owner }, phoneNumber)]
      : []),
  ];
}

/** The rows of the nth event, of a user and, one in four, of the organization. They are spread over the last 80 days. */
function makeEvent(
  environmentId: string,
  n: number,
  { users, total, now }: { users: number; total: number; now: number },
): Write {
  const at = now - 80 * DAY_MS + Math.floor((n * 79 * DAY_MS) / total);
  const id = `event_${firstUlidAt(at)}`;
  const partition = choosePartition(id);
  const isOfOrganization = n % 4 === 0;
  const subject = isOfOrganization
    ? ({ kind: 'organization', key: organizationId } as const)
    : ({ kind: 'user', key: makeId((n - Math.floor(n / 4) - 1) % users) } as const);
  // The payload is that of a user in each list, since the reads check it.
  const data = JSON.stringify(presentUser(makeRecord(environmentId, n % users).record));
  const fields = { environmentId, id, partition, data, context: CONTEXT, expiresAt: Math.floor(now / 1_000) + 86_400 };
  return events.create(
    { ...fields, name: 'user.updated', subject: subjectPartition(subject, partition) },
    new Date(at).toISOString(),
  ).write;
}

/** Writes a batch, again if a busy machine did not respond in time: the rows have no conditions. */
async function writeInSpite(batch: readonly BatchRequest[]): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await writeBatch(batch);
    } catch (error) {
      if (!isTransient(error) || attempt === WRITE_ATTEMPTS) throw error;
    }
  }
}

/** Writes rows in batches, several at a time. */
async function writeRows(rows: Iterable<Write>): Promise<number> {
  const waiting = new Set<Promise<void>>();
  let batch: BatchRequest[] = [];
  let count = 0;
  const send = async (): Promise<void> => {
    const sent = writeInSpite(batch).finally(() => waiting.delete(sent));
    waiting.add(sent);
    batch = [];
    if (waiting.size >= WIDTH) await Promise.race(waiting);
  };
  for (const { params } of rows) {
    batch.push({ PutRequest: { Item: params.Item ?? {} } });
    count += 1;
    if (batch.length === BATCH) await send();
  }
  if (batch.length > 0) await send();
  await Promise.all(waiting);
  return count;
}

function* generateRows(environmentId: string, from: Size, to: Size, total: Size, now: number): Generator<Write> {
  for (let n = from.users; n < to.users; n += 1) yield* makeUser(environmentId, n);
  const of = { users: FEW, total: total.events, now };
  // The first events are those of the first users, so that a timeline is as long with few users as with many.
  for (let n = from.events; n < to.events; n += 1)
    yield makeEvent(environmentId, n, n < FEW * 20 ? of : { ...of, users: total.users });
}

/** Numbers of users and events. */
interface Size {
  users: number;
  events: number;
}

type Read = (n: number) => string;
const ask = (q: string): string => `/x/search?q=${encodeURIComponent(q)}`;

const searches: Readonly<Record<string, Read>> = {
  'search: id': (n) => ask(makeId(n)),
  'search: address': (n) => ask(nameUser(n).email),
  'search: two words': (n) => ask(`${nameUser(n).lastName} ${nameUser(n).firstName}`),
  'search: two crowded words': (n) => ask(`fam ${nameUser(n).firstName.slice(0, 5)}`),
  'search: beginning of a word': (n) => ask(nameUser(n).lastName.slice(0, 4)),
  'search: two letters': () => ask('na'),
  'search: domain of many': () => ask('@example.com'),
  'search: phone number': (n) => ask(makePhone(n - (n % 10))),
  'search: 100 addresses': (n) =>
    ask(Array.from({ length: 100 }, (_, at) => nameUser(Math.max(0, n - at)).email).join(',')),
};
const lists: Readonly<Record<string, Read>> = {
  'timeline of a user': (n) => `/x/events?subject=${makeId(n % FEW)}&limit=20`,
  'timeline of an organization': () => `/x/events?subject=${organizationId}&limit=20`,
  'list of events': () => '/events?events=user.updated&limit=20&order=desc',
};

const entry = httpEntry(eventsArea);

/** The cost of a kind of read. */
interface Figure {
  /** In ms. */
  median: number;
  p99: number;
  /** Median and p99 of the CPU time of this process in ms. */
  cpu: number;
  cpu99: number;
  /** Calls of the table, and read units, of one read. */
  calls: number;
  units: number;
}
type Figures = Map<string, Figure>;

/** Measures each kind of read. */
async function measure(key: string, users: number): Promise<Figures> {
  const figures: Figures = new Map();
  for (const [name, pathOf] of Object.entries({ ...searches, ...lists })) {
    const [times, cpus]: [number[], number[]] = [[], []];
    let before = { ...asked };
    for (let at = 0; at < WARM_UP + READS; at += 1) {
      if (at === WARM_UP) before = { ...asked };
      const path = pathOf(Math.floor(Math.random() * users));
      const [startedAt, used] = [performance.now(), process.cpuUsage()];
      const { status, text } = await call(entry, 'GET', path, { headers: { authorization: `Bearer ${key}` } });
      const { user, system } = process.cpuUsage(used);
      times.push(performance.now() - startedAt);
      cpus.push((user + system) / 1_000);
      must(status === 200, `${path} responds with 200, not ${status}: ${text}`);
      const { data } = JSON.parse(text) as { data: unknown[] };
      must(data.length > 0, `${path} finds something`);
    }
    const [measured, burnt] = [times.slice(WARM_UP), cpus.slice(WARM_UP)];
    figures.set(name, {
      median: quantile(measured, 0.5),
      p99: quantile(measured, 0.99),
      cpu: quantile(burnt, 0.5),
      cpu99: quantile(burnt, 0.99),
      calls: (asked.calls - before.calls) / READS,
      units: (asked.units - before.units) / READS,
    });
  }
  return figures;
}

/** Measures how much slower this machine is now than the one of the bounds: the CPU time of one read of a row, relative to {@link READ_MS}. */
async function findSlowness(environmentId: string): Promise<number> {
  const times: number[] = [];
  for (let at = 0; at < PROBES; at += 1) {
    const used = process.cpuUsage();
    await readRow({ pk: `${environmentId}#user#${makeId(at)}`, sk: 'record' });
    const { user, system } = process.cpuUsage(used);
    times.push((user + system) / 1_000);
  }
  return Math.max(1, quantile(times, 0.5) / READ_MS);
}

/**
 * Runs the scenario.
 * @throws Error that names the guarantee that was violated
 */
export async function soakConsole(total: Size = DEFAULT): Promise<void> {
  const table = await startTable();
  sendLinesTo(() => undefined);
  process.env.GATEHOUSE_CREDENTIAL_CACHE_MS = '3600000';
  try {
    const { id: environmentId, key } = await makeEnvironment();
    const asked = { headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' } };
    const { status } = await call(entry, 'PUT', '/x/search/settings', { ...asked, body: '{"users":true}' });
    must(status === 200, 'the search for users is enabled');
    const now = clock.now();
    const few = { users: FEW, events: Math.min(FEW * 20, total.events) };
    await writeRows(generateRows(environmentId, { users: 0, events: 0 }, few, total, now));
    countCalls();
    const before = await measure(key, few.users);
    const startedAt = performance.now();
    const rows = await writeRows(generateRows(environmentId, few, total, total, now));
    const seconds = (performance.now() - startedAt) / 1_000;
    print(`${rows.toLocaleString('en')} rows written in ${seconds.toFixed(0)} s`);
    const slowness = await findSlowness(environmentId);
    compare(before, await measure(key, total.users), total, slowness);
  } finally {
    await table.stop();
  }
}

const format = (value: number): string => value.toFixed(1).padStart(8);

/** @throws Error for a search that is too slow, and for a read that became slower with the number of users and events */
function compare(few: Figures, many: Figures, { users, events: count }: Size, slowness: number): void {
  const [small, large, total] = [FEW, users, count].map((value) => value.toLocaleString('en'));
  print(
    `${small} users -> ${large} users and ${total} events, on a machine ${slowness.toFixed(1)} times as slow as that of the bounds`,
  );
  print(`${''.padEnd(30)} median ms                 p99   CPU ms      p99    calls    RCU: before -> after`);
  const wrong: string[] = [];
  for (const [name, { median, p99, cpu, cpu99, calls, units }] of many) {
    const { median: formerMedian = NaN, cpu: formerCpu = NaN, units: formerUnits = NaN } = few.get(name) ?? {};
    print(
      `${name.padEnd(30)} ${format(formerMedian)} -> ${format(median)} ${format(p99)} ${format(cpu)} ${format(cpu99)} ${format(calls)} ${format(formerUnits)} -> ${format(units)}`,
    );
    if (name in searches && cpu99 > SEARCH_MS * slowness) wrong.push(`${name}: p99 ${cpu99.toFixed(0)} ms of CPU time`);
    if (name in lists && cpu > formerCpu * GROWTH + SLACK_MS * slowness) wrong.push(`${name} became slower`);
  }
  must(
    wrong.length === 0,
    `Searches stay below ${SEARCH_MS} ms, and timelines and lists keep their cost: ${wrong.join('; ')}`,
  );
}

/** The scenario for `npm run soak`. */
export const consoleReads: Scenario = { name: 'console', run: () => soakConsole() };

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const text = (value: number) => ({ type: 'string', default: String(value) }) as const;
  const { values } = parseArgs({ options: { users: text(DEFAULT.users), events: text(DEFAULT.events) } });
  await soakConsole({ users: Number(values.users), events: Number(values.events) });
}

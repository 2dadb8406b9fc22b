/**
 * `npm run soak -- console`, or `node bin/run.mjs test/soak/console.ts --users N --events N` for other numbers than a million and ten
 * million: what the console reads of a large environment. Searches take at most 150 ms (p99), and searches, timelines and lists cost
 * what they cost with a thousand users. `--world FOLDER` keeps the rows in a folder and measures them again in later runs, such as on a
 * quiet machine. The rows are those that the entities' code makes, in a table without a stream. The area's function runs in this process.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

import { eventsArea } from '../../functions/record/events/area.ts';
import { clock } from '../../functions/kernel/clock.ts';
import { httpEntry } from '../../functions/kernel/http/entry.ts';
import { sendLinesTo } from '../../functions/kernel/log.ts';
import { readRow } from '../../functions/kernel/storage/together.ts';
import { call } from '../kernel/http/calls.ts';
import { makeEnvironment } from '../kernel/notes/table.ts';
import { startTable } from '../support/table.ts';
import {
  FEW,
  makeId,
  makePhone,
  nameUser,
  organizationId,
  type Size,
  type World,
  writeSamples,
  writeWorld,
} from './console-rows.ts';
import { DATABASE } from './engine-rows.ts';
import { asked, countCalls } from './consumed.ts';
import { must, print, quantile, type Scenario } from './scenario.ts';

const DEFAULT = { users: 1_000_000, events: 10_000_000 };
const WARM_UP = 20;
/** The number of reads of each kind; the baseline needs only medians. */
const READS = 200;
const READS_OF_FEW = 50;
/** The bound of the p99 of a search, in CPU time of this process: the time on the clock is printed, but depends on what else the machine does. */
const SEARCH_MS = 150;
/** Maximum ratio of a median to the baseline: noise of two shared cores, far below the cost of a read of all rows. */
const GROWTH = 1.5;
const SLACK_MS = 2;
/** Maximum growth of the read units of a list: its rows differ by the digits of numbers. */
const UNITS_GROWTH = 1.2;
const SLACK_UNITS = 1;
/** The time of one read of a row on the machine for which the bounds are, in ms of CPU. */
const READ_MS = 0.7;
const PROBES = 300;

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
    ask(Array.from({ length: 100 }, (_, at) => nameUser(Math.max(99, n) - at).email).join(',')),
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
async function measure(key: string, users: number, reads: number): Promise<Figures> {
  const figures: Figures = new Map();
  for (const [name, pathOf] of Object.entries({ ...searches, ...lists })) {
    const [times, cpus]: [number[], number[]] = [[], []];
    let before = { ...asked };
    for (let at = 0; at < WARM_UP + reads; at += 1) {
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
      calls: (asked.calls - before.calls) / reads,
      units: (asked.units - before.units) / reads,
    });
  }
  return figures;
}

/** The time of one strongly consistent read of a row, without anything else, in ms. */
interface Bare {
  times: number[];
  cpus: number[];
}

async function probe({ environmentId }: World, { times, cpus }: Bare): Promise<void> {
  for (let at = 0; at < PROBES; at += 1) {
    const [startedAt, used] = [performance.now(), process.cpuUsage()];
    await readRow({ pk: `${environmentId}#user#${makeId(at)}`, sk: 'record' });
    const { user, system } = process.cpuUsage(used);
    times.push(performance.now() - startedAt);
    cpus.push((user + system) / 1_000);
  }
}

/** A stored world, with the key of its environment. */
interface Kept {
  world: World;
  key: string;
  total: Size;
}

/** The folders of the databases below a folder: one with few users, and one with all. */
const databases = (folder: string) => ({ few: join(folder, 'few'), many: join(folder, 'many') });

async function makeWorld(folder: string, total: Size): Promise<Kept> {
  const { few, many } = databases(folder);
  const table = await startTable(many);
  const world = { environmentId: '', now: clock.now() };
  let key: string;
  try {
    ({ id: world.environmentId, key } = await makeEnvironment());
    const options = { headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' } };
    const { status } = await call(entry, 'PUT', '/x/search/settings', { ...options, body: '{"users":true}' });
    must(status === 200, 'the search for users is enabled');
    await writeSamples(world, total);
  } finally {
    await table.stop();
  }
  const startedAt = performance.now();
  mkdirSync(few, { recursive: true });
  writeWorld(many, join(few, DATABASE), world, total);
  const gibibytes = (statSync(join(many, DATABASE)).size / 2 ** 30).toFixed(1);
  print(`${gibibytes} GiB written in ${((performance.now() - startedAt) / 1_000).toFixed(0)} s`);
  return { world, key, total };
}

/** Finds the world of this size in a folder, or makes it there. */
async function findWorld(folder: string, total: Size): Promise<Kept> {
  const description = join(folder, 'world.json');
  if (existsSync(description)) {
    const kept = JSON.parse(readFileSync(description, 'utf8')) as Kept;
    if (kept.total.users === total.users && kept.total.events === total.events) return kept;
  }
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const made = await makeWorld(folder, total);
  // Only tests know the key, which is of no other database.
  writeFileSync(description, JSON.stringify(made));
  return made;
}

/** Measures a database, between two probes of the machine. */
async function measureIn(
  folder: string,
  { world, key }: Kept,
  { users, reads, bare }: { users: number; reads: number; bare: Bare },
): Promise<Figures> {
  const table = await startTable(folder);
  try {
    countCalls();
    await probe(world, bare);
    const figures = await measure(key, users, reads);
    await probe(world, bare);
    return figures;
  } finally {
    await table.stop();
  }
}

/**
 * Runs the scenario.
 * @param kept A folder that keeps the rows for the next run
 * @throws Error that names the guarantee that was violated
 */
export async function soakConsole(total: Size = DEFAULT, kept?: string): Promise<void> {
  const folder = kept ?? mkdtempSync(join(tmpdir(), 'gatehouse-console-'));
  sendLinesTo(() => undefined);
  process.env.GATEHOUSE_CREDENTIAL_CACHE_MS = '3600000';
  try {
    const found = await findWorld(folder, total);
    const { few, many } = databases(folder);
    const before = await measureIn(few, found, { users: FEW, reads: READS_OF_FEW, bare: { times: [], cpus: [] } });
    const bare: Bare = { times: [], cpus: [] };
    const after = await measureIn(many, found, { users: total.users, reads: READS, bare });
    compare(before, after, total, bare);
  } finally {
    if (kept === undefined) rmSync(folder, { recursive: true, force: true });
  }
}

const format = (value: number): string => value.toFixed(1).padStart(8);

/** Finds what a read violates. */
function* findWrong(name: string, { cpu, cpu99, calls, units }: Figure, former: Figure, slowness: number) {
  if (name in searches && cpu99 > SEARCH_MS * slowness) yield `${name}: p99 ${cpu99.toFixed(0)} ms of CPU time`;
  if (name in lists && cpu > former.cpu * GROWTH + SLACK_MS * slowness) yield `${name} became slower`;
  if (name in lists && units > former.units * UNITS_GROWTH + SLACK_UNITS) yield `${name} reads more rows`;
  if (calls > former.calls + 0.1) yield `${name} makes more calls`;
}

/** @throws Error for a search that is too slow, and for a read that became slower with the number of users and events */
function compare(few: Figures, many: Figures, { users, events: count }: Size, { times, cpus }: Bare): void {
  const slowness = Math.max(1, quantile(cpus, 0.5) / READ_MS);
  const [small, large, total] = [FEW, users, count].map((value) => value.toLocaleString('en'));
  print(`${small} users -> ${large} users and ${total} events`);
  const load = loadavg().map((value) => value.toFixed(1));
  print(
    `one read of a row: median ${quantile(times, 0.5).toFixed(1)} ms, p99 ${quantile(times, 0.99).toFixed(1)} ms, ` +
      `${quantile(cpus, 0.5).toFixed(2)} ms of CPU, ${slowness.toFixed(1)} times that of the machine of the bounds; load ${load.join(', ')}`,
  );
  print(`${''.padEnd(30)} median ms                 p99   CPU ms      p99    calls    RCU: before -> after`);
  const wrong: string[] = [];
  for (const [name, figure] of many) {
    const { median, p99, cpu, cpu99, calls, units } = figure;
    const former = few.get(name) ?? figure;
    print(
      `${name.padEnd(30)} ${format(former.median)} -> ${format(median)} ${format(p99)} ${format(cpu)} ${format(cpu99)} ${format(calls)} ${format(former.units)} -> ${format(units)}`,
    );
    wrong.push(...findWrong(name, figure, former, slowness));
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
  const { values } = parseArgs({
    options: { users: text(DEFAULT.users), events: text(DEFAULT.events), world: { type: 'string' } },
  });
  await soakConsole({ users: Number(values.users), events: Number(values.events) }, values.world);
}

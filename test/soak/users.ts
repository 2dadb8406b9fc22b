/**
 * `npm run soak -- users`, or `node bin/run.mjs test/soak/users.ts --users N` for another number than a million: imports ten thousand users by the
 * code of `npm run import` (`--imported N` for another number), adds copies of their rows to the engine's database up to N users, and compares the cost of reads with the cost with a thousand users: by id, address and
 * external_id, and pages of lists. It prints rates, medians, CPU time, calls of the table and read units. The area's function runs in
 * this process on a table without a stream, which does not affect the reads.
 */
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

import { importFile } from '../../bin/import-file.ts';
import { httpEntry } from '../../functions/kernel/http/entry.ts';
import { firstUlidAt } from '../../functions/kernel/id-format.ts';
import { sendLinesTo } from '../../functions/kernel/log.ts';
import { userManagementArea } from '../../functions/sign-in/user-management/area.ts';
import { users as userRows } from '../../functions/tenancy/modules/users/user/entity.ts';
import { call } from '../kernel/http/calls.ts';
import { makeEnvironment } from '../kernel/notes/table.ts';
import { startTable } from '../support/table.ts';
import { asked, countCalls } from './consumed.ts';
import { EngineRows, type Written } from './engine-rows.ts';
import { must, quantile, type Scenario, print } from './scenario.ts';

const DEFAULT_USERS = 1_000_000;
const DEFAULT_IMPORTED = 10_000;
/** Number of users for the baseline. */
const FEW = 1_000;
/** The share of users who are members of the organization whose users are listed: one in this many. */
const MEMBER_EVERY = 20;
const WARM_UP = 30;
const READS = 300;
/**
 * Maximum ratio of a median of CPU time to the baseline: noise of two shared cores, far below the cost of a search through all users.
 */
const GROWTH = 1.5;
const SLACK_MS = 1;

const organizationId = `org_${firstUlidAt(Date.parse('2020-01-01T00:00:00Z'))}`;

/** The creation time of the nth user: one is created every half minute from 2020 on. */
const createdAt = (n: number): number => Date.parse('2020-01-01T00:00:01Z') + n * 30_000;
const makeId = (n: number): string => `user_${firstUlidAt(createdAt(n))}`;

/** The shard of the list of users in which a user is. */
const findShard = (id: string): string =>
  userRows.create({ environmentId: '', id, email: '', emailVerified: true, metadata: {} }).record.listShard;

/** The values in which users differ: id, address, last name, external id, metadata, time and shard. */
const computeValues = (n: number) =>
  [
    makeId(n),
    `person-${n}@example.com`,
    `Number ${n}`,
    `own-${n}`,
    `tier-${n}`,
    new Date(createdAt(n)).toISOString(),
    findShard(makeId(n)),
  ] as const;

const formatLine = (n: number): string => {
  const [id, email, lastName, externalId, tier, time] = computeValues(n);
  return JSON.stringify({
    object: 'user',
    id,
    email,
    email_verified: true,
    first_name: 'Ada',
    last_name: lastName,
    external_id: externalId,
    metadata: { tier },
    created_at: time,
    memberships: n % MEMBER_EVERY === 0 ? [{ organization_id: organizationId }] : [],
  });
};

async function writeFile(file: string, from: number, to: number): Promise<void> {
  const stream = createWriteStream(file);
  for (let n = from; n < to; n += 1) if (!stream.write(`${formatLine(n)}\n`)) await once(stream, 'drain');
  stream.end();
  await finished(stream);
}

/** Imports users from the `from`th to before the `to`th, and prints the progress. */
async function load(folder: string, environmentId: string, from: number, to: number): Promise<void> {
  const file = join(folder, `users-${to}.jsonl`);
  await writeFile(file, from, to);
  const startedAt = performance.now();
  const { made, there, rejected } = await importFile({
    file,
    environmentId,
    isSilent: true,
    onProgress: ({ bytes, size }) => {
      if (process.stderr.isTTY) process.stderr.write(`\r  ${((bytes / size) * 100).toFixed(1)} % imported `);
    },
    onRejected: (line, message) => print(`line ${line}: ${message}`),
  });
  // Records of a commit whose response was lost are found when their lines are imported again.
  must(made + there === to - from && rejected === 0, `All ${to - from} users are imported, not ${made + there}`);
  const seconds = (performance.now() - startedAt) / 1_000;
  const [count, rate] = [to - from, (to - from) / seconds].map((value) => Math.round(value).toLocaleString('en'));
  print(`${count} users imported in ${seconds.toFixed(0)} s, ${rate}/s`);
  rmSync(file);
}

type Read = (n: number) => string;

const USERS = '/user_management/users';

/** Reads, each by the path for a random user; a cursor starts a page in the middle of the list. */
const reads: Readonly<Record<string, Read>> = {
  'by id': (n) => `${USERS}/${makeId(n)}`,
  'by external_id': (n) => `${USERS}/external_id/own-${n}`,
  'by email': (n) => `${USERS}?email=Person-${n}@example.com`,
  'list, first page': () => USERS,
  'list, 100 from the middle': (n) => `${USERS}?limit=100&after=${makeId(n)}`,
  'list of an organization, from the middle': (n) =>
    `${USERS}?organization_id=${organizationId}&limit=10&after=${makeId(n)}`,
  'memberships of an organization': () =>
    `/user_management/organization_memberships?organization_id=${organizationId}&limit=10`,
};

interface Cost {
  medianMs: number;
  /** Median of the CPU time of this process: other work on the machine does not change it. */
  cpuMs: number;
  /** Calls of the table, and read units, of one read. */
  calls: number;
  units: number;
}

const entry = httpEntry(userManagementArea);

async function measure(key: string, users: number): Promise<Map<string, Cost>> {
  const costs = new Map<string, Cost>();
  for (const [name, pathOf] of Object.entries(reads)) {
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
      must(status === 200, `${path} responds 200, not ${status}: ${text}`);
    }
    const [calls, units] = [asked.calls - before.calls, asked.units - before.units];
    const [medianMs, cpuMs] = [times, cpus].map((values) => quantile(values.slice(WARM_UP), 0.5));
    costs.set(name, { medianMs: medianMs ?? NaN, cpuMs: cpuMs ?? NaN, calls: calls / READS, units: units / READS });
  }
  return costs;
}

const formatCost = ({ medianMs, cpuMs, calls, units }: Cost): string =>
  `${medianMs.toFixed(1)} ms, CPU ${cpuMs.toFixed(1)} ms, ${calls.toFixed(1)} calls, ${units.toFixed(1)} RCU`;

/**
 * Compares the costs.
 * @throws Error for a read whose cost grew with the number of users
 */
function compare(few: Map<string, Cost>, many: Map<string, Cost>): void {
  const grown: string[] = [];
  for (const [name, before] of few) {
    const after = many.get(name) ?? before;
    print(`${name.padEnd(42)} ${formatCost(before).padEnd(46)} -> ${formatCost(after)}`);
    const isSlower = after.cpuMs > before.cpuMs * GROWTH + SLACK_MS;
    const isDearer = after.calls > before.calls + 0.1 || after.units > before.units * 1.2 + 0.5;
    if (isSlower || isDearer) grown.push(name);
  }
  must(grown.length === 0, `Reads keep their cost; these grew: ${grown.join('; ')}`);
}

/** The id of the membership of the nth user that has one; imported ones have later ids. */
const makeMembershipId = (n: number): string => `om_${firstUlidAt(createdAt(n))}`;

/** Adds copies of the rows of imported users up to a number. */
function copyUsers(folder: string, imported: number, users: number): void {
  const startedAt = performance.now();
  const rows = new EngineRows(folder);
  const findUser = (n: number): Written => {
    const [membershipId] = /om_\w{26}/.exec(rows.readItems(rows.find([makeId(n)])).join(' ')) ?? [];
    const values = [...computeValues(n), ...(membershipId === undefined ? [] : [membershipId])];
    return { keys: rows.find([makeId(n), ...(membershipId === undefined ? [] : [membershipId])]), values };
  };
  // The values of the example, such as `own-…`, are no parts of other values of its rows.
  const example = Math.floor(imported / 2 / MEMBER_EVERY) * MEMBER_EVERY;
  const makeCopier = (of: number) =>
    rows.copier(
      findUser(of),
      [MEMBER_EVERY, imported - MEMBER_EVERY].map((n) => findUser(n + of - example)),
    );
  const [member, other] = [makeCopier(example), makeCopier(example + 1)];
  for (let n = imported; n < users; n += 1) {
    if (n % MEMBER_EVERY === 0) member([...computeValues(n), makeMembershipId(n)]);
    else other(computeValues(n));
  }
  rows.close();
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(0);
  print(`${(users - imported).toLocaleString('en')} users copied in ${seconds} s`);
}

/**
 * Runs the scenario.
 * @param imported Number of users that are imported; the others are copies
 * @throws Error that names the guarantee that was violated
 */
export async function soakUsers(users = DEFAULT_USERS, imported = Math.min(DEFAULT_IMPORTED, users)): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-users-'));
  let table = await startTable(folder);
  // The log has a line for each request, which is discarded.
  sendLinesTo(() => undefined);
  process.env.GATEHOUSE_CREDENTIAL_CACHE_MS = '3600000';
  try {
    const { id: environmentId, key } = await makeEnvironment();
    countCalls();
    await writeOrganization(folder, environmentId);
    const few = Math.min(FEW, imported / 2);
    await load(folder, environmentId, 0, few);
    const before = await measure(key, few);
    await load(folder, environmentId, few, imported);
    await table.stop();
    if (users > imported) copyUsers(folder, imported, users);
    table = await startTable(folder);
    countCalls();
    print(`${''.padEnd(42)} ${`with ${few.toLocaleString('en')}`.padEnd(46)}    with ${users.toLocaleString('en')}`);
    compare(before, await measure(key, users));
  } finally {
    await table.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function writeOrganization(folder: string, environmentId: string): Promise<void> {
  const file = join(folder, 'organization.jsonl');
  const stream = createWriteStream(file);
  stream.end(JSON.stringify({ object: 'organization', id: organizationId, name: 'Acme' }));
  await finished(stream);
  await importFile({ file, environmentId, isSilent: true });
}

/** The scenario for `npm run soak`. */
export const users: Scenario = { name: 'users', run: () => soakUsers() };

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const options = { users: { type: 'string' }, imported: { type: 'string' } } as const;
  const { users: number = DEFAULT_USERS, imported } = parseArgs({ options }).values;
  await soakUsers(Number(number), imported === undefined ? undefined : Number(imported));
}

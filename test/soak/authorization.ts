/**
 * `npm run soak -- authorization`, or `node bin/run.mjs test/soak/authorization.ts --resources N` for another number than a million: one
 * organization with N resources, N assignments and N / 10 members. `--world FOLDER` stores the imported rows in a folder and uses
 * them in later runs: for a million resources, the import takes some nine minutes and the measurement two. All pages of both
 * lookups must cost the same, and a subtree of N / 10 must be moved in one transaction, which the next check takes into account.
 * (For the role of a group of 10,000: `npm run soak -- groups`.)
 *
 * The functions run in this process on a table without a stream, as in `users.ts`. Its rows are made by the entities' code and
 * imported by the engine at once, without index entries, since no measured call reads an index.
 */
import { constants } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { pathToFileURL } from 'node:url';

import { authorizationArea } from '../../functions/access/authorization/area.ts';
import { httpEntry } from '../../functions/kernel/http/entry.ts';
import { sendLinesTo } from '../../functions/kernel/log.ts';
import { tableClient } from '../../functions/kernel/storage/client.ts';
import { organizationsArea } from '../../functions/tenancy/organizations/area.ts';
import { rolesArea } from '../../functions/tenancy/roles/area.ts';
import { call } from '../kernel/http/calls.ts';
import { makeEnvironment, makeKey } from '../kernel/notes/table.ts';
import { startTable, type TestTable } from '../support/table.ts';
import { BIG, computeSizes, importWorld, memberId, projectId, REGIONS, type Sizes } from './authorization-world.ts';
import { DATABASE } from './engine-rows.ts';
import { printOpenFga } from './openfga/large-lists.ts';
import { must, quantile, type Scenario, print } from './scenario.ts';

const DEFAULT_RESOURCES = 1_000_000;
const READS = 300;
const WARM_UP = 30;
/** Minimum duration in ms of calls while serial round trips are counted, so that parallel ones overlap. */
const CALL_MS = 15;
const MOST_TRIPS = 4;
const DEFAULT_IN_OPENFGA = 10_000;
const MOST_P99_MS = 40;
/** The allowed growth of CPU time from the first page to the others: noise of a shared machine. */
const GROWTH = 1.5;
const SLACK_MS = 2;

const MODEL = {
  resource_types: [
    { slug: 'region', name: 'Region', parents: ['organization'] },
    { slug: 'workspace', name: 'Workspace', parents: ['region'] },
    { slug: 'project', name: 'Project', parents: ['workspace'] },
  ],
  permissions: [{ slug: 'project:read', name: 'Read', resource_type_slug: 'project' }],
  roles: [
    { slug: 'member', name: 'Member' },
    { slug: 'admin', name: 'Admin' },
    { slug: 'warden', name: 'Warden', resource_type_slug: 'region', permissions: ['project:read'] },
    { slug: 'keeper', name: 'Keeper', resource_type_slug: 'workspace', permissions: ['project:read'] },
    { slug: 'reader', name: 'Reader', resource_type_slug: 'project', permissions: ['project:read'] },
  ],
};

const entries = {
  authorization: httpEntry(authorizationArea),
  organizations: httpEntry(organizationsArea),
  roles: httpEntry(rolesArea),
};

type Send = <T>(area: keyof typeof entries, method: string, path: string, body?: object) => Promise<T>;

/**
 * Calls the functions with an API key.
 * @throws Error for an error response
 */
const sender =
  (key: string): Send =>
  async <T>(area: keyof typeof entries, method: string, path: string, body?: object) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const options = { headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
    const { status, text, json } = await call(entries[area], method, path, options);
    must(status < 300, `${method} ${path} succeeds: ${status} ${text.slice(0, 300)}`);
    return json as T;
  };

/** The calls of the table since the start, and the longest chain of successive calls in one request. */
const asked = { calls: 0, units: 0, longest: 0, ended: 0, delayMs: 0, transactions: 0, writes: 0 };

function countCalls(): void {
  tableClient().middlewareStack.add(
    (next, context) => async (args) => {
      asked.calls += 1;
      if (context.commandName === 'TransactWriteItemsCommand') {
        asked.transactions += 1;
        asked.writes += (args.input as { TransactItems: unknown[] }).TransactItems.length;
      }
      const length = asked.ended + 1;
      asked.longest = Math.max(asked.longest, length);
      if (asked.delayMs > 0) await delay(asked.delayMs);
      const output = await next({ ...args, input: { ...args.input, ReturnConsumedCapacity: 'TOTAL' } });
      asked.ended = Math.max(asked.ended, length);
      const { ConsumedCapacity } = output.output as { ConsumedCapacity?: Consumed | Consumed[] };
      for (const { CapacityUnits = 0 } of [ConsumedCapacity ?? []].flat()) asked.units += CapacityUnits;
      return output;
    },
    { step: 'initialize', name: 'soakCounts' },
  );
}

interface Consumed {
  CapacityUnits?: number;
}

/** The serial round trips of one request. */
async function countTrips(request: () => Promise<unknown>): Promise<number> {
  Object.assign(asked, { longest: 0, ended: 0, delayMs: CALL_MS });
  await request();
  asked.delayMs = 0;
  return asked.longest;
}

interface Page {
  data: { id: string }[];
}

interface Cost {
  medianMs: number;
  p99Ms: number;
  /** CPU time of this process for a call, in milliseconds: other load does not change it. */
  cpuMs: number;
  units: number;
  trips: number;
}

async function measure(request: () => Promise<unknown>): Promise<Cost> {
  const times: number[] = [];
  let units = 0;
  let cpu = process.cpuUsage();
  for (let at = 0; at < WARM_UP + READS; at += 1) {
    if (at === WARM_UP) [units, cpu] = [asked.units, process.cpuUsage()];
    const startedAt = performance.now();
    await request();
    times.push(performance.now() - startedAt);
  }
  const { user, system } = process.cpuUsage(cpu);
  const cpuMs = (user + system) / 1_000 / READS;
  const measured = times.slice(WARM_UP);
  const perRead = (asked.units - units) / READS;
  const trips = await countTrips(request);
  return { medianMs: quantile(measured, 0.5), p99Ms: quantile(measured, 0.99), cpuMs, units: perRead, trips };
}

const formatCost = ({ medianMs, p99Ms, cpuMs, units, trips }: Cost): string =>
  `${trips} serial round trips, ${units.toFixed(1)} RCU, ${cpuMs.toFixed(1)} ms of CPU, median ${medianMs.toFixed(1)} ms, ` +
  `p99 ${p99Ms.toFixed(1)} ms${p99Ms > MOST_P99_MS ? ` (above ${MOST_P99_MS} ms)` : ''}`;

/**
 * Measures the first, the middle and the last page of a list.
 * @throws Error for one that costs more than the first
 */
async function comparePages(name: string, send: Send, path: string, idAt: (n: number) => string, count: number) {
  const cursors = { first: undefined, middle: idAt(Math.floor(count / 2)), last: idAt(count - 11) };
  let first: Cost | undefined;
  for (const [where, cursor] of Object.entries(cursors)) {
    const page = `${path}&limit=10&order=asc${cursor === undefined ? '' : `&after=${cursor}`}`;
    const { data } = await send<Page>('authorization', 'GET', page);
    must(data.length === 10, `The ${where} page of ${name} has 10 records, not ${data.length}`);
    const cost = await measure(() => send('authorization', 'GET', page));
    print(`${name}, ${where} page: ${formatCost(cost)}`);
    first ??= cost;
    must(cost.trips <= MOST_TRIPS, `${name} takes at most ${MOST_TRIPS} serial round trips`);
    must(cost.units <= first.units * 1.2 + 1, `The ${where} page of ${name} reads no more than the first`);
    must(cost.cpuMs <= first.cpuMs * GROWTH + SLACK_MS, `The ${where} page of ${name} takes the CPU time of the first`);
  }
}

async function checkAt(send: Send, member: string, resource_id: string): Promise<boolean> {
  const path = `/authorization/organization_memberships/${member}/check`;
  const body = { permission_slug: 'project:read', resource_id };
  return (await send<{ authorized: boolean }>('authorization', 'POST', path, body)).authorized;
}

/** Moves the large subtree, of which a member without other roles has one at its former parent. */
async function moveSubtree(send: Send, sizes: Sizes, outsider: string): Promise<void> {
  const deep = projectId(sizes.children - 1);
  must(await checkAt(send, outsider, deep), 'a role on the region counts for all that is below it');
  const before = { ...asked };
  const startedAt = performance.now();
  await send('authorization', 'PATCH', `/authorization/resources/${BIG}`, { parent_resource_id: REGIONS[1] });
  const tookMs = performance.now() - startedAt;
  must(!(await checkAt(send, outsider, deep)), 'the next check knows that a subtree was moved away');
  must(asked.transactions - before.transactions === 1, 'a subtree moves in one transaction');
  const count = sizes.children.toLocaleString('en');
  print(
    `a subtree of ${count} moved in one transaction of ${asked.writes - before.writes} rows, ${tookMs.toFixed(0)} ms; the next check knows`,
  );
}

interface Ids {
  id: string;
}

/** An imported world with the values that calls to it need. */
interface World {
  environmentId: string;
  sizes: Sizes;
}

/**
 * Writes a world of so many resources into a database.
 * @param folder An empty folder for it
 */
async function makeWorld(folder: string, resources: number): Promise<World> {
  const table = await startTable();
  try {
    const { id: environmentId, key } = await makeEnvironment();
    const send = sender(key);
    await send('roles', 'PUT', '/x/authorization/model', MODEL);
    const { id: organizationId } = await send<Ids>('organizations', 'POST', '/organizations', { name: 'Acme' });
    const roleId = async (slug: string) => (await send<Ids>('roles', 'GET', `/authorization/roles/${slug}`)).id;
    const roles = { member: await roleId('member'), keeper: await roleId('keeper'), reader: await roleId('reader') };
    const sizes = computeSizes(resources);
    const startedAt = performance.now();
    const rows = await importWorld(folder, { environmentId, organizationId, roles }, sizes);
    const lines = Object.entries(sizes).map(([name, size]) => `${Number(size).toLocaleString('en')} ${name}`);
    const seconds = (performance.now() - startedAt) / 1_000;
    print(`${lines.join(', ')}: ${rows.toLocaleString('en')} rows in ${seconds.toFixed(0)} s`);
    return { environmentId, sizes };
  } finally {
    await table.stop();
  }
}

/**
 * Finds the world in the folder `kept`, or makes one there if it has none of this size, and copies its database to `folder`, where it is
 * measured. Without `kept` a new world is made in `folder`.
 */
async function findWorld(folder: string, resources: number, kept?: string): Promise<World> {
  if (kept === undefined) return makeWorld(folder, resources);
  const described = join(kept, 'world.json');
  const text = await readFile(described, 'utf8').catch(() => undefined);
  let world = text === undefined ? undefined : (JSON.parse(text) as World);
  if (world?.sizes.resources !== resources) {
    await rm(kept, { recursive: true, force: true });
    await mkdir(kept, { recursive: true });
    world = await makeWorld(kept, resources);
    await writeFile(described, JSON.stringify(world));
  }
  await copyFile(join(kept, DATABASE), join(folder, DATABASE), constants.COPYFILE_FICLONE);
  return world;
}

/**
 * Runs the scenario.
 * @param inOpenFga Projects, and keepers, of the world that OpenFGA gets; it is left out for 0
 * @param kept A folder that keeps the world for the next run
 * @throws Error that names the guarantee that was violated
 */
export async function soakAuthorization(
  resources = DEFAULT_RESOURCES,
  inOpenFga = DEFAULT_IN_OPENFGA,
  kept?: string,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-soak-'));
  let table: TestTable | undefined;
  sendLinesTo(() => undefined);
  process.env.GATEHOUSE_CREDENTIAL_CACHE_MS = '3600000';
  try {
    const { environmentId, sizes } = await findWorld(folder, resources, kept);
    table = await startTable(folder);
    const send = sender(await makeKey(environmentId));
    countCalls();
    const member = memberId(Math.floor(sizes.members / 3));
    const check = await measure(() => checkAt(send, member, projectId(Math.floor(sizes.children / 2))));
    print(`check: ${formatCost(check)}`);
    must(check.trips === 1, 'a check takes one serial round trip');
    const below = `/authorization/organization_memberships/${member}/resources?permission_slug=project:read`;
    await comparePages('resources of a member', send, `${below}&parent_resource_id=${BIG}`, projectId, sizes.children);
    const onBig = `/authorization/resources/${BIG}/organization_memberships?permission_slug=project:read`;
    await comparePages('members on a resource', send, `${onBig}&assignment=direct`, memberId, sizes.members);
    await comparePages('all members with access', send, `${onBig}&assignment=indirect`, memberId, sizes.members);
    // The only role of this member that affects the subtree is at its region.
    const outsider = memberId(1);
    const keeper = { role_slug: 'keeper', resource_id: BIG };
    const roleAssignments = `/authorization/organization_memberships/${outsider}/role_assignments`;
    await send('authorization', 'DELETE', roleAssignments, keeper);
    await send('authorization', 'POST', roleAssignments, { role_slug: 'warden', resource_id: REGIONS[0] });
    await moveSubtree(send, sizes, outsider);
    if (inOpenFga > 0) await printOpenFga(inOpenFga);
  } finally {
    await table?.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** The scenario for `npm run soak`. */
export const authorization: Scenario = { name: 'authorization', run: () => soakAuthorization() };

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const options = { resources: { type: 'string' }, openfga: { type: 'string' }, world: { type: 'string' } } as const;
  const { resources = DEFAULT_RESOURCES, openfga = DEFAULT_IN_OPENFGA, world } = parseArgs({ options }).values;
  await soakAuthorization(Number(resources), Number(openfga), world);
}

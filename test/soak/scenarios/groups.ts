import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { pathToFileURL } from 'node:url';

import { importFile } from '../../../bin/import-file.ts';
import { aimAt } from '../../../bin/target.ts';
import { closeTableClient } from '../../../functions/kernel/storage/client.ts';
import type { Connection } from '../../support/connection.ts';
import { type Instance, startInstances } from '../../support/instances.ts';
import { computeId } from '../authorization-world.ts';
import { type LocalProcess, startLocalProcess } from '../local-process.ts';
import { must, type Scenario, sideBySide, print, until, untilIdle } from '../scenario.ts';

const DEFAULT_MEMBERS = 10_000;
const WIDTH = 8;
/** Time limit in ms within which the roles of all members must follow a change of their group. */
const MOST_MS = 60_000;
const POLL_MS = 250;
/** The number of instances of the function that are asked after each change. */
const INSTANCES = 4;
/** Time limits in ms for a busy machine. */
const PATIENCE = 10;

interface World {
  organizationId: string;
  groupId: string;
  /** Ids of memberships in the order in which a worker processes them. */
  members: string[];
}

const create = (connection: Connection, path: string, body: object): Promise<{ id: string }> =>
  connection.demand<{ id: string }>({ method: 'POST', path, body });

/** The response of `/_local/variables`. */
interface Variables {
  data: Record<string, string>;
}

/** Creates a group of so many members, who are imported, and a role of their organization with a permission. */
async function makeWorld(connection: Connection, folder: string, count: number): Promise<World> {
  const { id: organizationId } = await create(connection, '/organizations', { name: 'Acme' });
  const { id: groupId } = await create(connection, `/organizations/${organizationId}/groups`, { name: 'All' });
  await create(connection, '/authorization/permissions', { slug: 'all:read', name: 'Read' });
  await create(connection, '/authorization/roles', { slug: 'reader', name: 'Reader' });
  await create(connection, '/authorization/roles/reader/permissions', { slug: 'all:read' });
  const members = Array.from({ length: count }, (_, at) => computeId('om', at));
  const lines = [
    ...members.map((_, at) => ({ object: 'user', id: computeId('user', at), email: `person-${at}@example.com` })),
    ...members.map((id, at) => {
      return { object: 'organization_membership', id, organization_id: organizationId, user_id: computeId('user', at) };
    }),
    ...members.map((id) => ({ object: 'group_member', group_id: groupId, organization_membership_id: id })),
  ];
  const file = join(folder, 'members.jsonl');
  await writeFile(file, lines.map((line) => JSON.stringify(line)).join('\n'));
  const variables = { ...process.env };
  const environmentId = (await aimAt({ data: folder })) ?? '';
  const startedAt = performance.now();
  const { rejected } = await importFile({ file, environmentId, isSilent: true });
  closeTableClient();
  // The next service must not use the engine of this one.
  process.env = variables;
  must(rejected === 0, 'all members are imported');
  print(`${count} members imported in ${((performance.now() - startedAt) / 1_000).toFixed(0)} s`);
  return { organizationId, groupId, members };
}

const replaceRoles = (connection: Connection, { groupId }: World, roles: readonly string[]): Promise<unknown> =>
  connection.demand({
    method: 'PUT',
    path: `/authorization/groups/${groupId}/role_assignments`,
    body: { role_assignments: roles.map((role_slug) => ({ role_slug })) },
  });

/**
 * Asks every instance for checks of the first, the middle and the last member, which each of them caches from then on.
 * @throws Error if one of them does not know the last change
 */
async function checkAtAll(instances: readonly Instance[], { organizationId, members }: World, wanted: boolean) {
  const asked = [members[0] ?? '', members[Math.floor(members.length / 2)] ?? '', members.at(-1) ?? ''];
  const body = {
    permission_slug: 'all:read',
    resource_external_id: organizationId,
    resource_type_slug: 'organization',
  };
  for (const [at, instance] of instances.entries()) {
    for (const member of asked) {
      const path = `/authorization/organization_memberships/${member}/check`;
      const { status, body: response } = await instance.call<{ authorized: boolean }>('POST', path, body);
      must(status === 200 && response.authorized === wanted, `instance ${at + 1} knows the role of ${member} at once`);
    }
  }
}

async function hasRole(connection: Connection, member: string): Promise<boolean> {
  const path = `/user_management/organization_memberships/${member}`;
  const { roles } = await connection.demand<{ roles: { slug: string }[] }>({ method: 'GET', path });
  return roles.some(({ slug }) => slug === 'reader');
}

/** Counts the members whose roles are wrong. */
async function countWrong(connection: Connection, { members }: World, wanted: boolean): Promise<number> {
  let wrong = 0;
  await sideBySide(members, WIDTH, async (member) => {
    if ((await hasRole(connection, member)) !== wanted) wrong += 1;
  });
  return wrong;
}

/** The duration of an action, and the CPU time that the service and its engine used, in seconds. */
interface Taken {
  seconds: number;
  cpuSeconds: number;
}

const formatTaken = ({ seconds, cpuSeconds }: Taken): string =>
  `${seconds.toFixed(1)} s (${cpuSeconds.toFixed(1)} s of CPU)`;

/** Waits until a member has the roles of its groups. */
async function followed({ connection, cpuSeconds }: LocalProcess, member: string, wanted: boolean): Promise<Taken> {
  const [startedAt, before] = [performance.now(), cpuSeconds()];
  await until(
    'the roles of a member',
    PATIENCE * MOST_MS,
    async () => {
      // No further requests are made, since they would use the CPU time that is measured.
      await delay(POLL_MS);
      return hasRole(connection, member);
    },
    (has) => has === wanted,
  );
  return { seconds: (performance.now() - startedAt) / 1_000, cpuSeconds: cpuSeconds() - before };
}

/**
 * Prints the duration of an action. On a busy machine it can exceed the time limit, and then the CPU time of the service
 * decides.
 * @throws Error if both exceed the limit
 */
function mustBeWithin(taken: Taken, what: string): void {
  print(`${what} after ${formatTaken(taken)}`);
  must(Math.min(taken.seconds, taken.cpuSeconds) * 1_000 <= MOST_MS, `${what} within a minute`);
}

async function play(count: number): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-soak-'));
  let service: LocalProcess = await startLocalProcess(folder);
  let instances: Instance[] = [];
  try {
    const world = await makeWorld(service.connection, folder, count);
    await untilIdle(service.connection);
    const [middle, last] = [world.members[Math.floor(count / 2)] ?? '', world.members.at(-1) ?? ''];
    const { data: variables } = await service.connection.control<Variables>('GET', 'variables');
    instances = await startInstances('authorization', INSTANCES, { apiKey: service.apiKey, variables });
    await checkAtAll(instances, world, false);
    await replaceRoles(service.connection, world, ['reader']);
    await checkAtAll(instances, world, true);
    mustBeWithin(await followed(service, last, true), `the last of ${count} members has the role that its group got`);
    await untilIdle(service.connection);
    must((await countWrong(service.connection, world, true)) === 0, 'every member shows the role that the group got');
    await replaceRoles(service.connection, world, []);
    await checkAtAll(instances, world, false);
    print(`the next checks of each of ${INSTANCES} instances know a new role and a lost one`);
    const half = await followed(service, middle, false);
    const isDone = !(await hasRole(service.connection, last));
    await service.kill('all');
    must(!isDone, 'the worker was killed before it was done');
    service = await startLocalProcess(folder);
    const rest = await followed(service, last, false);
    const [seconds, cpuSeconds] = [half.seconds + rest.seconds, half.cpuSeconds + rest.cpuSeconds];
    mustBeWithin({ seconds, cpuSeconds }, 'killed halfway and resumed, the last lost the role that its group lost');
    await untilIdle(service.connection);
    must((await countWrong(service.connection, world, false)) === 0, 'no member keeps a role that the group lost');
  } finally {
    for (const instance of instances) instance.stop();
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * A group of 10,000 gets a role and loses it: the next check of each of four instances takes the change into account, and the roles of all members are
 * updated within a minute, even after an interruption.
 */
export const groups: Scenario = { name: 'groups', run: () => play(DEFAULT_MEMBERS) };

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { values } = parseArgs({ options: { members: { type: 'string' } } });
  await play(Number(values.members ?? DEFAULT_MEMBERS));
}

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { pathToFileURL } from 'node:url';

import type { Connection } from '../../support/connection.ts';
import { type LocalProcess, startLocalProcess } from '../local-process.ts';
import { must, type Scenario, sideBySide, print, until } from '../scenario.ts';

const DEFAULT_MEMBERS = 10_000;
const WIDTH = 8;
/** Time limit in ms within which the roles of all members must follow a change of their group. */
const MOST_MS = 60_000;

interface World {
  organizationId: string;
  groupId: string;
  /** Ids of memberships in the order in which a worker processes them. */
  members: string[];
}

const create = (connection: Connection, path: string, body: object): Promise<{ id: string }> =>
  connection.demand<{ id: string }>({ method: 'POST', path, body });

/** Creates a group of this many members, and a role of their organization with a permission. */
async function makeWorld(connection: Connection, count: number): Promise<World> {
  const { id: organizationId } = await create(connection, '/organizations', { name: 'Acme' });
  const { id: groupId } = await create(connection, `/organizations/${organizationId}/groups`, { name: 'All' });
  await create(connection, '/authorization/permissions', { slug: 'all:read', name: 'Read' });
  await create(connection, '/authorization/roles', { slug: 'reader', name: 'Reader' });
  await create(connection, '/authorization/roles/reader/permissions', { slug: 'all:read' });
  const members: string[] = [];
  const numbers = Array.from({ length: count }, (_, at) => at);
  await sideBySide(numbers, WIDTH, async (at) => {
    const { id: user_id } = await create(connection, '/user_management/users', { email: `person-${at}@example.com` });
    const pair = { user_id, organization_id: organizationId };
    const { id } = await create(connection, '/user_management/organization_memberships', pair);
    await create(connection, `/organizations/${organizationId}/groups/${groupId}/organization-memberships`, {
      organization_membership_id: id,
    });
    members.push(id);
  });
  return { organizationId, groupId, members: members.sort() };
}

const replaceRoles = (connection: Connection, { groupId }: World, roles: readonly string[]): Promise<unknown> =>
  connection.demand({
    method: 'PUT',
    path: `/authorization/groups/${groupId}/role_assignments`,
    body: { role_assignments: roles.map((role_slug) => ({ role_slug })) },
  });

async function isAuthorized(connection: Connection, { organizationId }: World, member: string): Promise<boolean> {
  const { authorized } = await connection.demand<{ authorized: boolean }>({
    method: 'POST',
    path: `/authorization/organization_memberships/${member}/check`,
    body: {
      permission_slug: 'all:read',
      resource_external_id: organizationId,
      resource_type_slug: 'organization',
    },
  });
  return authorized;
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

/**
 * Waits until a member's roles follow.
 * @returns the time in milliseconds
 */
async function followed(connection: Connection, member: string, wanted: boolean): Promise<number> {
  const startedAt = performance.now();
  await until(
    'the roles of a member',
    MOST_MS,
    () => hasRole(connection, member),
    (has) => has === wanted,
  );
  return performance.now() - startedAt;
}

async function play(count: number): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-soak-'));
  let service: LocalProcess = await startLocalProcess(folder);
  try {
    const world = await makeWorld(service.connection, count);
    await service.connection.control('GET', 'idle?wait_ms=600000');
    const [middle, last] = [world.members[Math.floor(count / 2)] ?? '', world.members.at(-1) ?? ''];
    await replaceRoles(service.connection, world, ['reader']);
    must(await isAuthorized(service.connection, world, last), 'the next check of the last member knows a new role');
    print(
      `${count} members: the last has the new role after ${(await followed(service.connection, last, true)).toFixed(0)} ms`,
    );
    await service.connection.control('GET', 'idle?wait_ms=600000');
    must((await countWrong(service.connection, world, true)) === 0, 'every member shows the role that the group got');
    await replaceRoles(service.connection, world, []);
    must(!(await isAuthorized(service.connection, world, last)), 'the next check of the last member knows a lost role');
    await followed(service.connection, middle, false);
    const isDone = !(await hasRole(service.connection, last));
    await service.kill('all');
    service = await startLocalProcess(folder);
    must(!isDone, 'the worker was killed before it was done');
    print(
      `killed halfway: the last follows ${(await followed(service.connection, last, false)).toFixed(0)} ms after the restart`,
    );
    await service.connection.control('GET', 'idle?wait_ms=600000');
    must((await countWrong(service.connection, world, false)) === 0, 'no member keeps a role that the group lost');
  } finally {
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * A group of 10,000 gets a role and loses it: the next check takes it into account, and all roles follow within a minute,
 * also after an interruption.
 */
export const groups: Scenario = { name: 'groups', run: () => play(DEFAULT_MEMBERS) };

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { values } = parseArgs({ options: { members: { type: 'string' } } });
  await play(Number(values.members ?? DEFAULT_MEMBERS));
}

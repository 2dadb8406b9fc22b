import { parseArgs } from 'node:util';
import { pathToFileURL } from 'node:url';

import fc from 'fast-check';

import { Skipped } from '../../clients/cache.ts';
import type { Connection } from '../../support/connection.ts';
import { startLocalProcess } from '../local-process.ts';
import { type OpenFga, startOpenFga, type Tuple } from '../openfga/server.ts';
import { must, type Scenario, sideBySide, print } from '../scenario.ts';

const DEFAULT_WORLDS = 200;
const SEED = 20_261_122;
const WIDTH = 6;
const MEMBERS = 4;
const GROUPS = 2;

/** Types with the permission that lookups request, and the types below which a resource can be. */
const TYPES: Readonly<Record<string, readonly string[]>> = {
  workspace: ['organization'],
  project: ['organization', 'workspace'],
  app: ['project', 'workspace'],
};
const PERMISSIONS = ['organization:read', 'workspace:read', 'project:read', 'app:read', 'app:write'];
/** Types from the top down. A role has permissions of its own type and of those after it. */
const ORDER = ['organization', ...Object.keys(TYPES)];

const bits = fc.nat(2 ** PERMISSIONS.length - 1);
const number = fc.nat(10_000);

/** The random numbers of a scenario. */
const worlds = fc.record({
  hasOneRole: fc.boolean(),
  /** The permissions of each role: two for each type. */
  roles: fc.array(bits, { minLength: 2 * ORDER.length, maxLength: 2 * ORDER.length }),
  /** The type and the parent of each resource. */
  resources: fc.array(fc.tuple(number, number), { minLength: 5, maxLength: 9 }),
  /** The holder and the resource of each assignment, and which of the two roles it has. */
  assignments: fc.array(fc.tuple(number, number, number), { minLength: 8, maxLength: 16 }),
  moves: fc.array(fc.tuple(number, number), { maxLength: 3 }),
  /** The group and the member of each group membership. */
  joins: fc.array(fc.tuple(number, number), { maxLength: 5 }),
  inactive: fc.option(number, { nil: undefined }),
});

type Plan = typeof worlds extends fc.Arbitrary<infer T> ? T : never;

interface Resource {
  id: string;
  type: string;
}

interface World {
  organizationId: string;
  members: string[];
  resources: Resource[];
}

const pick = <T>(list: readonly T[], at: number): T => list[at % list.length] as T;

function makeModel({ roles }: Plan): object {
  return {
    resource_types: Object.entries(TYPES).map(([slug, parents]) => ({ slug, name: slug, parents })),
    permissions: PERMISSIONS.map((slug) => ({ slug, name: slug, resource_type_slug: slug.split(':')[0] })),
    roles: [
      { slug: 'member', name: 'Member' },
      { slug: 'admin', name: 'Admin' },
      ...roles.map((set, at) => {
        const type = ORDER[Math.floor(at / 2)] ?? '';
        const fitting = PERMISSIONS.filter((slug) => isWithin(slug.split(':')[0] ?? '', type));
        const permissions = fitting.filter((slug) => ((set >> PERMISSIONS.indexOf(slug)) & 1) === 1);
        return { slug: nameRole(type, at), name: type, resource_type_slug: type, permissions };
      }),
    ],
  };
}

/** Reports whether a type is below another, which is every type after it. */
const isWithin = (type: string, role: string): boolean => ORDER.indexOf(type) >= ORDER.indexOf(role);
const nameRole = (type: string, at: number): string => `${type}-${at % 2 === 0 ? 'one' : 'two'}`;

async function makeWorld(connection: Connection, plan: Plan): Promise<World> {
  const demand = <T = { id: string }>(method: string, path: string, body?: object): Promise<T> =>
    connection.demand<T>({ method, path, body });
  await demand('PUT', '/x/user-management/settings', { multiple_roles: !plan.hasOneRole });
  // Environments are cached for five seconds.
  await connection.control('POST', 'clock', { advance_seconds: 6 });
  await demand('PUT', '/x/authorization/model', makeModel(plan));
  const { id: organizationId } = await demand('POST', '/organizations', { name: 'Acme' });
  const root = { id: organizationId.replace('org_', 'authz_resource_'), type: 'organization' };
  const resources: Resource[] = [root];
  const parentsFor = (type: string) => resources.filter((parent) => TYPES[type]?.includes(parent.type) === true);
  for (const [at, [type, parent]] of plan.resources.entries()) {
    const possible = Object.keys(TYPES).filter((slug) => parentsFor(slug).length > 0);
    const slug = pick(possible, type);
    const { id } = await demand('POST', '/authorization/resources', {
      organization_id: organizationId,
      resource_type_slug: slug,
      external_id: `r-${at}`,
      name: 'R',
      parent_resource_id: pick(parentsFor(slug), parent).id,
    });
    resources.push({ id, type: slug });
  }
  const members: string[] = [];
  for (let at = 0; at < MEMBERS; at += 1) {
    const email = `${organizationId}-${at}@example.com`.toLowerCase();
    const { id: user_id } = await demand('POST', '/user_management/users', { email });
    const pair = { user_id, organization_id: organizationId };
    members.push((await demand('POST', '/user_management/organization_memberships', pair)).id);
  }
  const groups: string[] = [];
  for (let at = 0; at < GROUPS; at += 1) {
    groups.push((await demand('POST', `/organizations/${organizationId}/groups`, { name: `G${at}` })).id);
  }
  for (const [group, member] of plan.joins) {
    const path = `/organizations/${organizationId}/groups/${pick(groups, group)}/organization-memberships`;
    await demand('POST', path, { organization_membership_id: pick(members, member) });
  }
  for (const [holder, on, role] of plan.assignments) {
    const { id, type } = pick(resources, on);
    const body = { role_slug: nameRole(type, role), resource_id: id };
    const [kind, holderId] =
      holder % 3 === 0
        ? ['groups', pick(groups, Math.floor(holder / 3))]
        : ['organization_memberships', pick(members, Math.floor(holder / 3))];
    const path = `/authorization/${kind}/${holderId}/role_assignments`;
    const { status } = await connection.send({ method: 'POST', path, body });
    // A group can have a role on a resource only once, so a conflict is expected.
    must(status === 201 || status === 409, `A role is assigned: ${status}`);
  }
  for (const [which, parent] of plan.moves) {
    const { id, type } = pick(resources.slice(1), which);
    await demand('PATCH', `/authorization/resources/${id}`, { parent_resource_id: pick(parentsFor(type), parent).id });
  }
  if (plan.inactive !== undefined) {
    await demand('PUT', `/user_management/organization_memberships/${pick(members, plan.inactive)}/deactivate`);
  }
  // The export reads lists, which show changes late.
  await connection.control('GET', 'idle?wait_ms=30000');
  return { organizationId, members, resources };
}

interface Exported {
  authorization_model: { type_definitions: { type: string; relations: Record<string, object> }[] };
  types: { type: string; resource_type_slug: string }[];
  permissions: { relation: string; slug: string }[];
}

interface List<T> {
  data: T[];
  list_metadata: { after: string | null };
}

/** All records of a list. */
async function listed<T>(connection: Connection, path: string): Promise<T[]> {
  const found: T[] = [];
  for (let after: string | null = ''; after !== null;) {
    const cursor: string = after === '' ? '' : `&after=${encodeURIComponent(after)}`;
    const page: List<T> = await connection.demand<List<T>>({ method: 'GET', path: `${path}${cursor}` });
    found.push(...page.data);
    after = page.list_metadata.after;
  }
  return found;
}

/** The scenario in both systems, and the parts that are compared. */
interface Both {
  connection: Connection;
  world: World;
  openFga: OpenFga;
  store: string;
  /** The relation of a permission on a type; undefined if no role gives it there, which means a denial. */
  findRelation: (permission: string, type: string) => string | undefined;
  /** The name of a type in OpenFGA. */
  findType: (type: string) => string;
  differences: string[];
  counts: { checks: number; yes: number; objects: number; users: number };
}

function compare(both: Both, question: string, ours: unknown, theirs: unknown): void {
  const [one, other] = [JSON.stringify(ours), JSON.stringify(theirs)];
  if (one !== other) both.differences.push(`${question}: ${one} here, ${other} in OpenFGA`);
}

async function compareChecks(both: Both, member: string): Promise<void> {
  const { connection, world, openFga, store } = both;
  for (const { id, type } of world.resources) {
    const checks = PERMISSIONS.map((permission_slug) => ({ permission_slug, resource_id: id }));
    const path = '/x/authorization/check';
    const body = { organization_membership_id: member, checks };
    const { data } = await connection.demand<{ data: { authorized: boolean }[] }>({ method: 'POST', path, body });
    for (const [at, permission] of PERMISSIONS.entries()) {
      const relation = both.findRelation(permission, type);
      const tuple = { user: `organization_membership:${member}`, object: `${both.findType(type)}:${id}` };
      const theirs = relation !== undefined && (await openFga.check(store, { ...tuple, relation }));
      compare(both, `check ${member} ${permission} ${type} ${id}`, data[at]?.authorized, theirs);
      both.counts.checks += 1;
      if (theirs) both.counts.yes += 1;
    }
  }
}

/** Compares the lookups for all parents together with ListObjects for the permission's own type. */
async function compareObjects(both: Both, member: string): Promise<void> {
  const { connection, world, openFga, store } = both;
  for (const permission of PERMISSIONS.slice(1)) {
    const type = permission.split(':')[0] ?? '';
    const base = `/authorization/organization_memberships/${member}/resources?limit=2&permission_slug=${permission}`;
    const ours: string[] = [];
    for (const parent of world.resources) {
      const children = await listed<{ id: string }>(connection, `${base}&parent_resource_id=${parent.id}&order=asc`);
      ours.push(...children.map(({ id }) => id));
    }
    const relation = both.findRelation(permission, type);
    const asked = { user: `organization_membership:${member}`, type: both.findType(type) };
    const theirs = relation === undefined ? [] : await openFga.listObjects(store, { ...asked, relation });
    compare(both, `objects ${member} ${permission}`, ours.sort(), theirs);
    both.counts.objects += 1;
  }
}

async function compareUsers(both: Both, { id, type }: Resource): Promise<void> {
  const { connection, openFga, store } = both;
  for (const permission of PERMISSIONS) {
    const base = `/authorization/resources/${id}/organization_memberships?limit=2&order=asc&assignment=indirect`;
    const members = await listed<{ id: string }>(connection, `${base}&permission_slug=${permission}`);
    const relation = both.findRelation(permission, type);
    const asked = { object: `${both.findType(type)}:${id}`, type: 'organization_membership' };
    const theirs = relation === undefined ? [] : await openFga.listUsers(store, { ...asked, relation });
    const ours = members.map((member) => member.id).sort();
    compare(both, `users ${permission} ${type} ${id}`, ours, theirs);
    both.counts.users += 1;
  }
}

async function compareWorld(connection: Connection, openFga: OpenFga, plan: Plan, counts: Both['counts']) {
  const world = await makeWorld(connection, plan);
  const { organizationId } = world;
  const exported = await connection.demand<Exported>({
    method: 'GET',
    path: `/x/authorization/openfga/model?organization_id=${organizationId}`,
  });
  const path = `/x/authorization/organizations/${organizationId}/openfga/tuples?limit=100`;
  const tuples = await listed<Tuple>(connection, path);
  const store = await openFga.load(exported.authorization_model, tuples);
  const findType = (slug: string) => exported.types.find((each) => each.resource_type_slug === slug)?.type ?? slug;
  const findRelation = (permission: string, type: string) => {
    const relation = exported.permissions.find(({ slug }) => slug === permission)?.relation ?? '';
    const definition = exported.authorization_model.type_definitions.find((each) => each.type === findType(type));
    return definition?.relations[relation] === undefined ? undefined : relation;
  };
  const both: Both = { connection, world, openFga, store, findRelation, findType, differences: [], counts };
  await sideBySide(world.members, WIDTH, async (member) => {
    await compareChecks(both, member);
    await compareObjects(both, member);
  });
  await sideBySide(world.resources, WIDTH, (resource) => compareUsers(both, resource));
  return both.differences;
}

async function play(count: number): Promise<void> {
  let openFga: OpenFga;
  try {
    openFga = await startOpenFga();
  } catch (error) {
    if (!(error instanceof Skipped)) throw error;
    print(`SKIPPED: ${error.message}`);
    return;
  }
  const service = await startLocalProcess();
  try {
    const counts = { checks: 0, yes: 0, objects: 0, users: 0 };
    const differences: string[] = [];
    for (const [at, plan] of fc.sample(worlds, { seed: SEED, numRuns: count }).entries()) {
      const found = await compareWorld(service.connection, openFga, plan, counts);
      differences.push(...found.map((difference) => `world ${at}, ${difference}`));
    }
    print(
      `${count} worlds: ${counts.checks} Check (${counts.yes} yes), ${counts.objects} ListObjects, ${counts.users} ListUsers compared`,
    );
    for (const difference of differences.slice(0, 20)) print(difference);
    must(differences.length === 0, `OpenFGA decides the same over the export; ${differences.length} differences`);
  } finally {
    await service.stop();
    await openFga.stop();
  }
}

/** Compares decisions and lists with those of OpenFGA 1.22 for the export of random scenarios; it is skipped without Go. */
export const openfga: Scenario = { name: 'openfga', run: () => play(DEFAULT_WORLDS) };

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { values } = parseArgs({ options: { worlds: { type: 'string' } } });
  await play(Number(values.worlds ?? DEFAULT_WORLDS));
}

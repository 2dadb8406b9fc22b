import { createGrant } from '../../functions/access/authorization/assignment/entity.ts';
import { createResource } from '../../functions/access/authorization/resource/entity.ts';
import { firstUlidAt } from '../../functions/kernel/id-format.ts';
import type { Write } from '../../functions/kernel/storage/write.ts';
import { createMembership } from '../../functions/tenancy/modules/memberships/organization-membership/entity.ts';
import { organizationResourceId, recordHolder } from '../../functions/tenancy/modules/role-holders/public.ts';
import { users } from '../../functions/tenancy/modules/users/user/entity.ts';
import { formatRow, importRows, makeStencil } from './bulk.ts';

/** The share of resources in the subtree on which lists and moves are measured: one in ten. */
const SHARE_OF_SUBTREE = 10;
/** The share of members: one for each ten resources. */
const SHARE_OF_MEMBERS = 10;
/** Children of each of the other workspaces. */
const CHILDREN = 1_000;

const START = Date.parse('2020-01-01T00:00:00Z');

/** The nth id of a kind; ids sort by their numbers. */
export const computeId = (prefix: string, n: number): string => `${prefix}_${firstUlidAt(START + n * 100)}`;

/** The numbers of records in the scenario. */
export interface Sizes {
  resources: number;
  members: number;
  /** Resources directly below the workspace on which lists are measured. */
  children: number;
  assignments: number;
}

/** The numbers for this many resources, with as many assignments. */
export const computeSizes = (resources: number): Sizes => ({
  resources,
  members: resources / SHARE_OF_MEMBERS,
  children: resources / SHARE_OF_SUBTREE,
  assignments: resources,
});

/** The environment and organization of the rows, and the ids of its roles. */
export interface Place {
  environmentId: string;
  organizationId: string;
  /** The roles `member`, `keeper` (of workspaces) and `reader` (of projects). */
  roles: Record<'member' | 'keeper' | 'reader', string>;
}

/** The ids of workspaces. Two of them are special: the one with many children, and the one to which it is moved. */
export const REGIONS = [computeId('authz_resource', 1), computeId('authz_resource', 2)] as const;
export const BIG = computeId('authz_resource', 3);
const FIRST_WORKSPACE = 10;
const FIRST_PROJECT = 100_000;

export const memberId = (n: number): string => computeId('om', n);
export const projectId = (n: number): string => computeId('authz_resource', FIRST_PROJECT + n);

/** The workspace of the nth project; the first projects are all in the same one. */
function findWorkspace(n: number, { children }: Sizes): string {
  return n < children ? BIG : computeId('authz_resource', FIRST_WORKSPACE + Math.floor((n - children) / CHILDREN));
}

const AT = new Date(START).toISOString();

/** The rows of a resource whose external id is its own id. */
function makeResource(
  { environmentId, organizationId }: Place,
  id: string,
  typeSlug: string,
  parentId: string,
  ancestors: string[],
): Write[] {
  const fields = { environmentId, organizationId, id, typeSlug, parentId, ancestors };
  const { writes, claim } = createResource({ ...fields, externalId: id, name: typeSlug }, AT, AT);
  return claim === undefined ? writes : [...writes, claim];
}

/** The rows of a member with the role `member`, and of their user. */
function makeMember(
  { environmentId, organizationId, roles }: Place,
  id: string,
  userId: string,
  name: string,
): Write[] {
  const user = { environmentId, id: userId, email: `${name}@example.com`, emailVerified: true, metadata: {} };
  const member = { environmentId, id, userId, organizationId, status: 'active' as const };
  const given = [{ id: roles.member, slug: 'member' }];
  const resourceId = organizationResourceId(organizationId);
  const holder = { environmentId, organizationId, roleId: roles.member, resourceId, holderId: id };
  return [
    users.create(user).write,
    ...createMembership({ ...member, roles: ['member'], givenRoles: given }).writes,
    recordHolder({ ...holder, kind: 'membership' }),
  ];
}

const makeGrant = (
  { environmentId, organizationId, roles }: Place,
  [id = '', membershipId = '', resourceId = '']: readonly string[],
  typeSlug: 'workspace' | 'project',
): Write[] => {
  const grant = { environmentId, organizationId, membershipId, resourceId, typeSlug, externalId: resourceId, id };
  return createGrant({ ...grant, roleId: typeSlug === 'workspace' ? roles.keeper : roles.reader }, AT).writes;
};

/** The lines of all rows of a world. They are those that its changes would have written, without events and index entries. */
function* generateLines(place: Place, sizes: Sizes): Generator<string> {
  const root = organizationResourceId(place.organizationId);
  const few: Write[] = REGIONS.flatMap((id) => makeResource(place, id, 'region', root, []));
  few.push(...makeResource(place, BIG, 'workspace', REGIONS[0], [REGIONS[0]]));
  const workspaces = Math.ceil((sizes.resources - sizes.children) / CHILDREN);
  for (let at = 0; at < workspaces; at += 1) {
    const id = computeId('authz_resource', FIRST_WORKSPACE + at);
    few.push(...makeResource(place, id, 'workspace', REGIONS[0], [REGIONS[0]]));
  }
  for (const { params } of few) yield formatRow(params.Item as Record<string, unknown>);
  const samples = (values: (n: number) => string[], count: number) => [0, Math.floor(count / 3), count - 1].map(values);
  const projectValues = (n: number) => [projectId(n), findWorkspace(n, sizes)];
  const project = makeStencil(
    ([id = '', parent = '']) => makeResource(place, id, 'project', parent, [parent, REGIONS[0]]),
    samples(projectValues, sizes.resources),
  );
  for (let n = 0; n < sizes.resources; n += 1) yield* project(projectValues(n));
  const memberValues = (n: number) => [memberId(n), computeId('user', n), `person-${n}`];
  const member = makeStencil(
    ([id = '', userId = '', name = '']) => makeMember(place, id, userId, name),
    samples(memberValues, sizes.members),
  );
  for (let n = 0; n < sizes.members; n += 1) yield* member(memberValues(n));
  // Each member is a keeper of the big workspace and a reader of other projects. A step by a prime number spreads these over
  // all projects.
  const keeperValues = (n: number) => [computeId('role_assignment', n), memberId(n % sizes.members), BIG];
  const readerValues = (n: number) => [...keeperValues(n).slice(0, 2), projectId((n * 7_919) % sizes.resources)];
  const keeper = makeStencil((values) => makeGrant(place, values, 'workspace'), samples(keeperValues, sizes.members));
  const reader = makeStencil((values) => makeGrant(place, values, 'project'), samples(readerValues, sizes.assignments));
  for (let n = 0; n < sizes.assignments; n += 1) {
    yield* n < sizes.members ? keeper(keeperValues(n)) : reader(readerValues(n));
  }
}

/**
 * Makes a database with the rows of this process's table and of a world.
 * @param folder An empty folder for it
 * @returns the number of the world's rows
 */
export async function importWorld(folder: string, place: Place, sizes: Sizes): Promise<number> {
  let rows = 0;
  function* counted(): Generator<string> {
    for (const line of generateLines(place, sizes)) {
      rows += 1;
      yield line;
    }
  }
  await importRows(folder, counted());
  return rows;
}

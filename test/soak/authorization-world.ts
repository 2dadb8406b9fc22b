import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';

import { createGrant } from '../../functions/authorization/assignment/entity.ts';
import { createResource } from '../../functions/authorization/resource/entity.ts';
import { firstUlidAt } from '../../functions/kernel/id-format.ts';
import { settings } from '../../functions/kernel/settings.ts';
import { tableClient } from '../../functions/kernel/storage/client.ts';
import type { Write } from '../../functions/kernel/storage/write.ts';
import { createMembership } from '../../functions/memberships/organization-membership/entity.ts';
import { organizationResourceId, recordHolder } from '../../functions/role-holders/public.ts';
import { users } from '../../functions/users/user/entity.ts';
import { sideBySide } from './scenario.ts';

/** The share of resources in the subtree on which lists and moves are measured: one in ten. */
const SHARE_OF_SUBTREE = 10;
/** The share of members: one for each ten resources. */
const SHARE_OF_MEMBERS = 10;
/** Children of each of the other workspaces. */
const CHILDREN = 1_000;
/** Number of concurrent requests, with 25 rows each. */
const WIDTH = 12;
const BATCH = 25;

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

function* generateRows({ environmentId, organizationId, roles }: Place, sizes: Sizes): Generator<Write> {
  const root = organizationResourceId(organizationId);
  const resource = (id: string, typeSlug: string, parentId: string, ancestors: string[]): Write[] => {
    const fields = { environmentId, organizationId, id, typeSlug, parentId, ancestors };
    const { writes, claim } = createResource({ ...fields, externalId: id, name: typeSlug });
    return claim === undefined ? writes : [...writes, claim];
  };
  for (const id of REGIONS) yield* resource(id, 'region', root, []);
  yield* resource(BIG, 'workspace', REGIONS[0], [REGIONS[0]]);
  const workspaces = Math.ceil((sizes.resources - sizes.children) / CHILDREN);
  for (let at = 0; at < workspaces; at += 1) {
    yield* resource(computeId('authz_resource', FIRST_WORKSPACE + at), 'workspace', REGIONS[0], [REGIONS[0]]);
  }
  for (let n = 0; n < sizes.resources; n += 1) {
    const parent = findWorkspace(n, sizes);
    yield* resource(projectId(n), 'project', parent, [parent, REGIONS[0]]);
  }
  for (let n = 0; n < sizes.members; n += 1) {
    const userId = computeId('user', n);
    const user = { environmentId, id: userId, email: `person-${n}@example.com`, emailVerified: true, metadata: {} };
    yield users.create(user).write;
    const member = { environmentId, id: memberId(n), userId, organizationId, status: 'active' as const };
    const given = [{ id: roles.member, slug: 'member' }];
    yield* createMembership({ ...member, roles: ['member'], givenRoles: given }).writes;
    yield recordHolder({
      environmentId,
      organizationId,
      roleId: roles.member,
      resourceId: root,
      kind: 'membership',
      holderId: member.id,
    });
  }
  yield* generateGrants({ environmentId, organizationId, roles }, sizes);
}

/** Each member has the role `keeper` on the big workspace, and `reader` on further projects. */
function* generateGrants({ environmentId, organizationId, roles }: Place, sizes: Sizes): Generator<Write> {
  for (let n = 0; n < sizes.assignments; n += 1) {
    const membershipId = memberId(n % sizes.members);
    const isFirst = n < sizes.members;
    // With a prime step the projects of a member are in all workspaces.
    const resourceId = isFirst ? BIG : projectId((n * 7_919) % sizes.resources);
    const typeSlug = isFirst ? 'workspace' : 'project';
    const id = computeId('role_assignment', n);
    const grant = { environmentId, organizationId, membershipId, resourceId, typeSlug, externalId: resourceId, id };
    yield* createGrant({ ...grant, roleId: isFirst ? roles.keeper : roles.reader }).writes;
  }
}

function* batches(rows: Iterable<Write>): Generator<Record<string, unknown>[]> {
  let batch: Record<string, unknown>[] = [];
  for (const { params } of rows) {
    batch.push(params.Item as Record<string, unknown>);
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/**
 * Writes the rows in batches, as many as the API would have written, without events.
 * @returns the number of rows
 */
export async function loadWorld(place: Place, sizes: Sizes): Promise<number> {
  const table = settings().GATEHOUSE_TABLE;
  const source = batches(generateRows(place, sizes));
  let written = 0;
  await sideBySide({ values: () => source }, WIDTH, async (batch) => {
    const { UnprocessedItems } = await tableClient().send(
      new BatchWriteCommand({ RequestItems: { [table]: batch.map((Item) => ({ PutRequest: { Item } })) } }),
    );
    if (Object.keys(UnprocessedItems ?? {}).length > 0) throw new Error('The engine left rows unwritten');
    written += batch.length;
    if (process.stderr.isTTY && written % 100_000 < BATCH) process.stderr.write(`\r  ${written} rows `);
  });
  return written;
}

import { listMemberRows } from '../../../tenancy/groups/public.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import { readUlid } from '../../../kernel/id-format.ts';
import type { Reading } from '../../../kernel/storage/range.ts';
import { mergeReadings } from '../../../kernel/storage/reading.ts';
import type { Window } from '../../../kernel/storage/window.ts';
import { findMembershipsById } from '../../../tenancy/modules/memberships/public.ts';
import type { OrganizationRoles, Role } from '../../../tenancy/roles/public.ts';
import { listHolders } from '../../../tenancy/modules/role-holders/public.ts';
import type { Node } from '../check/chain.ts';
import { groupsOn, rolesOn } from '../resource/holders.ts';
import { ORGANIZATION_TYPE } from '../resource/rules.ts';
import { grants } from './entity.ts';
import { groupAssignmentId, organizationAssignmentId, partsOfAssignmentId } from './ids.ts';
import type { Assignment } from './schema.ts';

/** The filter of a list of assignments on one resource. */
export interface AssignmentSearch {
  environmentId: string;
  organizationId: string;
  node: Node;
  roles: OrganizationRoles;
  /** The role whose assignments are listed; all roles if absent. */
  role?: Role | undefined;
}

/** Number of ids that differ only in their last character: a position within them is read from the first of them. */
const ALIKE = 32;
/** Maximum number of rows of all roles that a page filtered by one role reads. */
const MOST_ROWS = 500;

/**
 * The role assignments on a resource for one page, in the order of their ids. Assignments with rows are read from an index,
 * which lags by moments, those of memberships at the organization from the holders of its roles, and those of groups from
 * each group's members. Each source costs a Query, which starts at the position of the page.
 */
export async function listOnResource(search: AssignmentSearch, window: Window): Promise<Reading<Assignment>> {
  const { environmentId, organizationId, node, roles, role } = search;
  const wanted = role === undefined ? rolesOn(node, roles) : [role];
  const isOrganization = node.typeSlug === ORGANIZATION_TYPE;
  const [own, groups] = await awaitAll([
    isOrganization ? atOrganization(search, wanted, window) : withRows(search, wanted, window),
    groupsOn({ environmentId, organizationId, ...node }, roles, wanted),
  ]);
  const lists = await awaitAll(groups.map((group) => ofGroup(search, group, window)));
  return mergeReadings([own, ...lists], window.scan);
}

/** The assignments on a resource below the organization, which have rows. */
async function withRows(
  { environmentId, node, roles }: AssignmentSearch,
  wanted: readonly Role[],
  window: Window,
): Promise<Reading<Assignment>> {
  const ids = new Set(wanted.map(({ id }) => id));
  const records: Assignment[] = [];
  let after = window.after;
  for (let looked = 0; looked < MOST_ROWS; looked += window.limit) {
    const part = { scan: window.scan, limit: window.limit, ...(after === undefined ? {} : { after }) };
    const rows = await grants.list('byResource', { environmentId, resourceId: node.id }).toPage(part);
    for (const { id, membershipId, roleId, createdAt, updatedAt } of rows.records) {
      const role = roles.roles.get(roleId);
      if (role === undefined || !ids.has(roleId)) continue;
      records.push({ id, membershipId, roleSlug: role.slug, resource: node, createdAt, updatedAt });
    }
    if (rows.reached === undefined) return { records };
    after = rows.reached;
    if (records.length >= window.limit) break;
  }
  return after === undefined ? { records } : { records, reached: after };
}

/** The roles of memberships at their organization. */
async function atOrganization(
  { environmentId, organizationId, node }: AssignmentSearch,
  wanted: readonly Role[],
  { scan, after, limit }: Window,
): Promise<Reading<Assignment>> {
  const [first = ''] = after === undefined ? [] : partsOfAssignmentId(after);
  const from = after === undefined ? undefined : scan === 'asc' ? `om_${first.slice(0, -1)}` : `om_${first}~`;
  const lists = await awaitAll(
    wanted.map(async (role) => {
      const query = {
        environmentId,
        organizationId,
        roleId: role.id,
        kind: 'membership',
        resourceId: node.id,
      } as const;
      const { records: holders, reached: last } = await listHolders({
        ...query,
        after: from,
        scan,
        limit: limit + ALIKE,
      });
      const makeId = (holderId: string): string => organizationAssignmentId(holderId, role.id);
      return {
        records: holders.map(({ holderId }) => ({ id: makeId(holderId), holderId, role })),
        ...(last === undefined ? {} : { reached: makeId(last) }),
      };
    }),
  );
  const merged = mergeReadings(lists, scan);
  const all = merged.records.filter(({ id }) => isBeyond(id, after, scan));
  const page = all.slice(0, limit);
  const found = await findMembershipsById(environmentId, [...new Set(page.map(({ holderId }) => holderId))]);
  const times = new Map(found.map(({ id, createdAt }) => [id, createdAt]));
  const records = page.flatMap(({ id, holderId, role }): Assignment[] => {
    const createdAt = times.get(holderId);
    if (createdAt === undefined) return [];
    return [{ id, membershipId: holderId, roleSlug: role.slug, resource: node, createdAt, updatedAt: createdAt }];
  });
  const reached = all.length > page.length ? page.at(-1)?.id : merged.reached;
  return reached === undefined ? { records } : { records, reached };
}

const isBeyond = (id: string, after: string | undefined, scan: Window['scan']): boolean =>
  after === undefined || (scan === 'asc' ? id > after : id < after);

/** The assignments of a group's members by one role of the group. */
async function ofGroup(
  { environmentId, node, roles }: AssignmentSearch,
  { groupId, roleId, groupRoleAssignmentId, createdAt }: Awaited<ReturnType<typeof groupsOn>>[number],
  { scan, after, limit }: Window,
): Promise<Reading<Assignment>> {
  const [first = '', second = ''] = after === undefined ? [] : partsOfAssignmentId(after);
  const own = readUlid(groupRoleAssignmentId);
  const isPast = after !== undefined && (scan === 'asc' ? own < first : own > first);
  // In descending order from an id that names only the group, all of its members come after it.
  if (isPast || (own === first && scan === 'desc' && second === '')) return { records: [] };
  const from = own === first && second !== '' ? { after: `om_${second}` } : {};
  const { records: members, reached } = await listMemberRows(environmentId, groupId).toPage({ scan, limit, ...from });
  const roleSlug = roles.roles.get(roleId)?.slug ?? '';
  const makeId = (membershipId: string): string => groupAssignmentId(groupRoleAssignmentId, membershipId);
  const records = members.map(({ id: membershipId }) => ({
    id: makeId(membershipId),
    membershipId,
    roleSlug,
    resource: node,
    group: { groupId, groupRoleAssignmentId },
    createdAt,
    updatedAt: createdAt,
  }));
  return reached === undefined ? { records } : { records, reached: makeId(reached) };
}

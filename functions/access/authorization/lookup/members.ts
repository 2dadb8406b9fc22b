import { listMemberRows } from '../../../tenancy/groups/public.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import type { Reading } from '../../../kernel/storage/range.ts';
import { mergeReadings } from '../../../kernel/storage/reading.ts';
import type { Window } from '../../../kernel/storage/window.ts';
import { listIds } from '../../../kernel/storage/window.ts';
import { findMembershipsById, type OrganizationMembershipRecord } from '../../../tenancy/modules/memberships/public.ts';
import type { OrganizationRoles, Permission, Role } from '../../../tenancy/roles/public.ts';
import { listHolders, readSheets } from '../../../tenancy/modules/role-holders/public.ts';
import { ask } from '../check/ask.ts';
import type { Node } from '../check/chain.ts';
import { candidateGroups, rolesOn } from '../resource/holders.ts';
import { ORGANIZATION_TYPE } from '../resource/rules.ts';

/** Number of rounds of reads after which a page is returned, even if it is short. */
const MOST_ROUNDS = 5;

/** The search for memberships. */
export interface Search {
  environmentId: string;
  organizationId: string;
  /** The resources on which a role counts, from the requested one up to its organization. */
  nodes: readonly [Node, ...Node[]];
  permission: Permission;
  roles: OrganizationRoles;
  /** False if a membership can have only one role at its organization. */
  isMultiple: boolean;
}

/** A source of memberships, in the order of their ids. */
type Stream = (window: Window) => Promise<Reading<{ id: string }>>;

/**
 * The active memberships of a page that have a permission by a role on some resources, in the order of their ids. It merges
 * the holders of each role on each resource and the members of each group, by a strongly consistent Query for each that
 * starts at the position of the page, so that every page costs the same. It takes two waves of reads without groups, three
 * with them.
 */
export async function listMembers(search: Search, window: Window): Promise<Reading<OrganizationMembershipRecord>> {
  let streams = memberStreams(search);
  const found: OrganizationMembershipRecord[] = [];
  let after = window.after;
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const part = { scan: window.scan, limit: window.limit, ...(after === undefined ? {} : { after }) };
    const [lists, groups] = await awaitAll([
      awaitAll(streams.map((stream) => stream(part))),
      round === 0 ? findGroups(search) : [],
    ]);
    if (groups.length > 0) {
      const ofGroups = await groupStreams(search, groups, part);
      streams = [...streams, ...ofGroups.map(({ stream }) => stream)];
      lists.push(...ofGroups.map(({ first }) => first));
    }
    const { records, reached } = mergeReadings(lists, window.scan);
    const ids = [...new Set(listIds(records))];
    const page = ids.slice(0, window.limit);
    found.push(...(await verified(search, page)));
    if (found.length >= window.limit) return { records: found.slice(0, window.limit) };
    after = ids.length > page.length ? page.at(-1) : reached;
    if (after === undefined) return { records: found };
  }
  return after === undefined ? { records: found } : { records: found, reached: after };
}

/** The roles on a resource that include the permission. */
const decidingRoles = ({ permission, roles }: Search, node: Node): Role[] =>
  rolesOn(node, roles).filter((role) => role.permissionIds.has(permission.id));

const memberStreams = (search: Search): Stream[] =>
  search.nodes.flatMap((node) =>
    decidingRoles(search, node).map(({ id: roleId }): Stream => async ({ scan, after, limit }) => {
      const { environmentId, organizationId } = search;
      const query = { environmentId, organizationId, roleId, kind: 'membership', resourceId: node.id } as const;
      const page = await listHolders({ ...query, scan, after, limit });
      return { ...page, records: page.records.map(({ holderId: id }) => ({ id })) };
    }),
  );

/** The ids of groups that may have a role that includes the permission. */
async function findGroups(search: Search): Promise<string[]> {
  const { environmentId, organizationId, nodes } = search;
  const lists = await awaitAll(
    nodes.map((node) => candidateGroups({ environmentId, organizationId, id: node.id }, decidingRoles(search, node))),
  );
  return [...new Set(lists.flat())];
}

/**
 * The members of those groups whose sheets have a role that includes the permission, each with its first part, by one wave
 * of reads.
 */
async function groupStreams(
  search: Search,
  groupIds: readonly string[],
  part: Window,
): Promise<{ stream: Stream; first: Reading<{ id: string }> }[]> {
  const { environmentId, nodes } = search;
  const roles = new Map(nodes.map((node) => [node.id, new Set(decidingRoles(search, node).map(({ id }) => id))]));
  const streams = groupIds.map(
    (id): Stream =>
      (window) =>
        listMemberRows(environmentId, id).toPage(window),
  );
  const [sheets, firsts] = await awaitAll([
    readSheets(environmentId, groupIds),
    awaitAll(streams.map((stream) => stream(part))),
  ]);
  return streams.flatMap((stream, at) => {
    const grants = sheets.get(groupIds[at] ?? '') ?? [];
    const isDeciding = grants.some(({ resourceId, roleId }) => roles.get(resourceId)?.has(roleId) === true);
    return isDeciding ? [{ stream, first: firsts[at] ?? { records: [] } }] : [];
  });
}

/** Returns those of some memberships that are active and for which a check permits access, in the order of the ids. */
async function verified(search: Search, ids: readonly string[]): Promise<OrganizationMembershipRecord[]> {
  const { environmentId, organizationId, nodes, permission, isMultiple } = search;
  const found = (await findMembershipsById(environmentId, ids)).filter(
    (membership) => membership.status === 'active' && membership.organizationId === organizationId,
  );
  // If a membership can have only one of several roles at its organization, only its own sources decide which one counts.
  if (isMultiple || !nodes.some(({ typeSlug }) => typeSlug === ORGANIZATION_TYPE)) return found;
  const question = { named: { resource_id: nodes[0].id }, permission: permission.slug };
  const responses = await awaitAll(found.map(({ id }) => ask(environmentId, id, [question])));
  return found.filter((_, at) => responses[at]?.findings[0]?.isAuthorized === true);
}

import { listMemberIds } from '../../groups/public.ts';
import type { Reading } from '../../kernel/storage/range.ts';
import type { Window } from '../../kernel/storage/window.ts';
import { findMembershipsById, type OrganizationMembershipRecord } from '../../memberships/public.ts';
import { type OrganizationRoles, type Permission, type Role } from '../../roles/public.ts';
import { listHolders } from '../../role-holders/public.ts';
import { ask } from '../check/ask.ts';
import type { Node } from '../check/chain.ts';
import { groupsOn, rolesOn } from '../resource/holders.ts';
import { ORGANIZATION_TYPE } from '../resource/rules.ts';

/** Rounds that one page reads before it is given as it is. */
const MOST_ROUNDS = 5;

/** The memberships that are looked for. */
export interface Search {
  environmentId: string;
  organizationId: string;
  /** The resources on which a role counts, from the one that is asked for on. */
  nodes: readonly [Node, ...Node[]];
  permission: Permission;
  roles: OrganizationRoles;
  /** False where a membership has one role at its organization. */
  isMultiple: boolean;
}

/** A source of memberships in the order of their ids. */
type Stream = (window: Window) => Promise<string[]>;

/**
 * The active memberships of a page that have a permission by a role on some resources, in the order of their ids. Merges the holders of
 * each role on each resource and the members of each group: a strongly consistent Query each, from the position of the page on,
 * so a page costs the same however deep it is.
 */
export async function listMembers(search: Search, window: Window): Promise<Reading<OrganizationMembershipRecord>> {
  const streams = await findStreams(search);
  const found: OrganizationMembershipRecord[] = [];
  let after = window.after;
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const part = { scan: window.scan, limit: window.limit, ...(after === undefined ? {} : { after }) };
    const lists = await Promise.all(streams.map((stream) => stream(part)));
    const ids = [...new Set(lists.flat())].toSorted();
    if (window.scan === 'desc') ids.reverse();
    // Beyond the end of a list that goes on, another one may not have been read.
    const page = ids.slice(0, window.limit);
    found.push(...(await verified(search, page)));
    after = page.at(-1);
    if (found.length >= window.limit) return { records: found.slice(0, window.limit) };
    if (after === undefined || !lists.some(({ length }) => length >= window.limit)) {
      if (ids.length <= window.limit) return { records: found };
    }
  }
  return after === undefined ? { records: found } : { records: found, reached: after };
}

async function findStreams({ environmentId, organizationId, nodes, permission, roles }: Search): Promise<Stream[]> {
  const deciding = (node: Node): Role[] => rolesOn(node, roles).filter((role) => role.permissionIds.has(permission.id));
  const groups = await Promise.all(
    nodes.map((node) => groupsOn({ environmentId, organizationId, ...node }, roles, deciding(node))),
  );
  const ofMembers = nodes.flatMap((node) =>
    deciding(node).map(({ id: roleId }): Stream => async ({ scan, after, limit }) => {
      const query = { environmentId, organizationId, roleId, kind: 'membership', resourceId: node.id } as const;
      return (await listHolders({ ...query, scan, after, limit })).map(({ holderId }) => holderId);
    }),
  );
  const ids = [...new Set(groups.flat().map(({ groupId }) => groupId))];
  return [
    ...ofMembers,
    ...ids.map(
      (id): Stream =>
        (window) =>
          listMemberIds(environmentId, id, window),
    ),
  ];
}

/** Those of some memberships that are active and for which the check says yes, in the order of the ids. */
async function verified(search: Search, ids: readonly string[]): Promise<OrganizationMembershipRecord[]> {
  const { environmentId, organizationId, nodes, permission, isMultiple } = search;
  const found = (await findMembershipsById(environmentId, ids)).filter(
    (membership) => membership.status === 'active' && membership.organizationId === organizationId,
  );
  // Of several roles at the organization one counts there: which one, each membership's own sources say.
  if (isMultiple || !nodes.some(({ typeSlug }) => typeSlug === ORGANIZATION_TYPE)) return found;
  const question = { named: { resource_id: nodes[0].id }, permission: permission.slug };
  const answers = await Promise.all(found.map(({ id }) => ask(environmentId, id, [question])));
  return found.filter((_, at) => answers[at]?.findings[0]?.isAuthorized === true);
}

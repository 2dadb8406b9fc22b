import type { Role } from '../../../tenancy/roles/public.ts';
import { groupAssignmentId, organizationAssignmentId } from '../assignment/ids.ts';
import { resourceIdOfOrganization } from '../resource/rules.ts';
import type { Node } from './chain.ts';
import type { Facts } from './facts.ts';
import { directRoles } from './membership.ts';

/** A role of a membership on a resource, which counts in a decision. */
export interface Held {
  role: Role;
  node: Node;
  /** The id of the role assignment, as in lists. */
  assignmentId: string;
  /** The group that gives the role; absent for the membership's own role. */
  group?: { groupId: string; groupRoleAssignmentId: string };
}

/** The roles of a membership on some resources, its own and those of its groups, from the facts. */
export function heldOn(facts: Facts, chain: readonly Node[]): Held[] {
  const nodes = new Map(chain.map((node) => [node.id, node]));
  const { roles } = facts.roles;
  const held: Held[] = [];
  for (const { id: assignmentId, resourceId, roleId } of facts.holdings.grants) {
    const [node, role] = [nodes.get(resourceId), roles.get(roleId)];
    if (node !== undefined && role !== undefined) held.push({ role, node, assignmentId });
  }
  for (const groupId of facts.holdings.groups) {
    for (const { id, resourceId, roleId } of facts.sheets.get(groupId) ?? []) {
      const [node, role] = [nodes.get(resourceId), roles.get(roleId)];
      if (node === undefined || role === undefined || isOfOrganization(facts, node)) continue;
      const assignmentId = groupAssignmentId(id, facts.membershipId);
      held.push({ role, node, assignmentId, group: { groupId, groupRoleAssignmentId: id } });
    }
  }
  const root = chain.find((node) => isOfOrganization(facts, node));
  return root === undefined ? held : [...held, ...heldAtOrganization(facts, root)];
}

const isOfOrganization = ({ membership }: Facts, { id }: Node): boolean =>
  membership !== undefined && id === resourceIdOfOrganization(membership.organizationId);

/**
 * The roles of a membership at its organization that count: all of its own and of its groups, or, if a membership has
 * one role, the one with the highest priority.
 */
export function heldAtOrganization(facts: Facts, node: Node): Held[] {
  const { membership, membershipId } = facts;
  if (membership === undefined) return [];
  const all = allAtOrganization(facts, membershipId, node);
  if (facts.isMultiple || all.length < 2) return all;
  const [first] = [...facts.roles.roles.keys()].flatMap((id) => all.find(({ role }) => role.id === id) ?? []);
  return first === undefined ? [] : [first];
}

/** The roles of a membership at its organization from every source, whether they count or not. */
export function allAtOrganization(facts: Facts, membershipId: string, node: Node): Held[] {
  const { membership } = facts;
  const { roles, rolesBySlug } = facts.roles;
  if (membership === undefined) return [];
  const own = directRoles(membership, rolesBySlug).map((role): Held => ({
    role,
    node,
    assignmentId: organizationAssignmentId(membershipId, role.id),
  }));
  const byGroups = facts.holdings.groups.flatMap((groupId) =>
    (facts.sheets.get(groupId) ?? []).flatMap(({ id, resourceId, roleId }): Held[] => {
      const role = roles.get(roleId);
      if (resourceId !== node.id || role === undefined) return [];
      const group = { groupId, groupRoleAssignmentId: id };
      return [{ role, node, assignmentId: groupAssignmentId(id, membershipId), group }];
    }),
  );
  if (own.length > 0 || byGroups.length > 0) return [...own, ...byGroups];
  // The roles of the groups were removed, and the worker has not written the default role yet.
  const role = facts.roles.defaultRole;
  return [{ role, node, assignmentId: organizationAssignmentId(membershipId, role.id) }];
}

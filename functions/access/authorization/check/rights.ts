import { organizationNode } from './chain.ts';
import { ask } from './ask.ts';
import { heldAtOrganization } from './held.ts';

/** Roles at one place with the permissions that follow from them. */
export interface PlaceRights {
  roles: readonly string[];
  permissions: ReadonlySet<string>;
}

/** The rights of a membership. */
export interface MembershipRights {
  userId: string;
  isActive: boolean;
  /** The rights at the organization, which count on every resource of it. */
  atOrganization: PlaceRights;
  /** The rights on resources of one type by their external ids, in addition to those at the organization. */
  onResources: ReadonlyMap<string, PlaceRights>;
}

interface Given {
  slug: string;
  permissions: readonly string[];
}

const combine = (roles: readonly Given[]): PlaceRights => ({
  roles: [...new Set(roles.map(({ slug }) => slug))].toSorted(),
  permissions: new Set(roles.flatMap(({ permissions }) => permissions)),
});

/**
 * The rights of a membership at its organization and directly on the resources of a type, its own and those of its groups. Every
 * read is strongly consistent: one wave if this instance has seen the membership, otherwise two. Roles on resources above or
 * below are not part of it.
 * @returns undefined if the membership or its organization does not exist
 */
export async function findMembershipRights(
  environmentId: string,
  membershipId: string,
  typeSlug: string,
): Promise<MembershipRights | undefined> {
  const { facts } = await ask(environmentId, membershipId, [], { isWhole: true });
  const { membership, organization, holdings, sheets } = facts;
  if (membership === undefined || organization === undefined) return undefined;
  const all = [...holdings.grants, ...holdings.groups.flatMap((id) => sheets.get(id) ?? [])];
  const onResources = new Map<string, Given[]>();
  for (const { typeSlug: type, externalId, roleId } of all) {
    const role = facts.roles.roles.get(roleId);
    if (type === typeSlug && role !== undefined)
      onResources.set(externalId, [...(onResources.get(externalId) ?? []), role]);
  }
  const held = heldAtOrganization(facts, organizationNode(membership.organizationId));
  return {
    userId: membership.userId,
    isActive: membership.status === 'active',
    atOrganization: combine(held.map(({ role }) => role)),
    onResources: new Map([...onResources].map(([id, roles]) => [id, combine(roles)])),
  };
}

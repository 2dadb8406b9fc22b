import { listGroupsFor } from '../../../tenancy/groups/public.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import { findMemberships } from '../../../tenancy/modules/memberships/public.ts';
import { readSheets } from '../../../tenancy/modules/role-holders/public.ts';
import type { OrganizationRoles } from '../../../tenancy/roles/public.ts';
import { organizationNode } from '../assignment/of-membership.ts';
import { readFacts } from '../check/ask.ts';
import type { Facts } from '../check/facts.ts';
import { allAtOrganization, heldAtOrganization } from '../check/held.ts';
import { Attached } from '../export/attached.ts';
import { typesInOrder } from '../export/rules.ts';
import { type Section, section } from '../export/sections.ts';
import { resources } from '../resource/entity.ts';
import { ORGANIZATION_TYPE, resourceIdOfOrganization } from '../resource/rules.ts';
import {
  fgaResource,
  GROUP_TYPE,
  MEMBER_RELATION,
  MEMBER_TYPE,
  PARENT_RELATION,
  partOf,
  listRelations,
} from './rules.ts';

/** A relationship tuple of OpenFGA. */
export interface Tuple {
  user: string;
  relation: string;
  object: string;
}

/** The organization whose tuples are exported. */
export interface TupleSource {
  environmentId: string;
  organizationId: string;
  roles: OrganizationRoles;
  /** False if a membership can have only one role at its organization. */
  isMultiple: boolean;
}

interface Place {
  typeSlug: string;
  resourceId: string;
  roleId: string;
}

/**
 * The sections of an organization's tuples: the parents of its resources, the roles of its groups, and its active members
 * with their own roles and their groups. If a membership can have only one role at its organization, that role is a tuple
 * of the membership, even if a group gives it.
 */
export function tupleSections(source: TupleSource): Section<Tuple>[] {
  const { environmentId, organizationId, roles } = source;
  const attached = new Attached(environmentId, organizationId);
  const types = typesInOrder(roles.model.types).filter(({ slug }) => slug !== ORGANIZATION_TYPE);
  const relations = listRelations(partOf(roles));

  /** The tuples of one user's roles, without those on missing resources. */
  const grants = async (user: string, places: readonly Place[]): Promise<Tuple[]> => {
    const below = places.filter(({ typeSlug }) => typeSlug !== ORGANIZATION_TYPE);
    const there = await attached.find(below.map(({ resourceId }) => resourceId));
    return places.flatMap(({ typeSlug, resourceId, roleId }) => {
      const relation = relations.roles.get(roleId);
      const isThere = typeSlug === ORGANIZATION_TYPE || there.has(resourceId);
      return relation === undefined || !isThere ? [] : [{ user, relation, object: fgaResource(typeSlug, resourceId) }];
    });
  };

  const parents = types.map(({ slug }) =>
    section(
      `resource.${slug}`,
      (window) => resources.list('byType', { environmentId, organizationId, typeSlug: slug }).toPage(window),
      async (found) => {
        const rows = await attached.find(found.map(({ id }) => id));
        const above = await attached.find([...rows.values()].map(({ parentId }) => parentId));
        const root = resourceIdOfOrganization(organizationId);
        return new Map(
          [...rows].map(([id, { parentId }]) => {
            const type = parentId === root ? ORGANIZATION_TYPE : (above.get(parentId)?.typeSlug ?? ORGANIZATION_TYPE);
            const user = fgaResource(type, parentId);
            return [id, [{ user, relation: PARENT_RELATION, object: fgaResource(slug, id) }]];
          }),
        );
      },
    ),
  );

  const groups = section(
    'group',
    (window) => listGroupsFor(environmentId, organizationId, undefined, window),
    async (found) => {
      const sheets = await readSheets(
        environmentId,
        found.map(({ id }) => id),
      );
      const lists = found.map(async ({ id }) => {
        const counting = (sheets.get(id) ?? []).filter(
          ({ typeSlug }) => source.isMultiple || typeSlug !== ORGANIZATION_TYPE,
        );
        return [id, await grants(`${GROUP_TYPE}:${id}#${MEMBER_RELATION}`, counting)] as const;
      });
      return new Map(await awaitAll(lists));
    },
  );

  const members = section(
    'membership',
    (window) => findMemberships(environmentId, { organizationId, statuses: ['active'] }, window),
    async (found) => {
      const lists = found.map(async ({ id }) => {
        const facts = await readFacts(environmentId, id);
        if (facts.membership?.status !== 'active') return [id, []] as const;
        const user = `${MEMBER_TYPE}:${id}`;
        const ofGroups = facts.holdings.groups.map((groupId) => ({
          user,
          relation: MEMBER_RELATION,
          object: `${GROUP_TYPE}:${groupId}`,
        }));
        const own = [...rolesAtOrganization(facts, organizationId), ...facts.holdings.grants];
        return [id, [...(await grants(user, own)), ...ofGroups]] as const;
      });
      return new Map(await awaitAll(lists));
    },
  );
  return [...parents, groups, members];
}

/** The roles at the organization that are tuples of a membership itself. */
function rolesAtOrganization(facts: Facts, organizationId: string): Place[] {
  const node = organizationNode(organizationId);
  const held = facts.isMultiple
    ? allAtOrganization(facts, facts.membershipId, node).filter(({ group }) => group === undefined)
    : heldAtOrganization(facts, node);
  return held.map(({ role }) => ({ typeSlug: ORGANIZATION_TYPE, resourceId: node.id, roleId: role.id }));
}

import { findGroupsById, listGroupsFor } from '../../../tenancy/groups/public.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import type { Window } from '../../../kernel/storage/window.ts';
import {
  findMemberships,
  givenRoles,
  type OrganizationMembershipRecord,
} from '../../../tenancy/modules/memberships/public.ts';
import { readSheets } from '../../../tenancy/modules/role-holders/public.ts';
import { ORGANIZATION_TYPE, type OrganizationRoles } from '../../../tenancy/roles/public.ts';
import { readHoldings } from '../assignment/partition.ts';
import { type ResourceRecord, resources } from '../resource/entity.ts';
import { Attached } from './attached.ts';
import { type Line, ofRole, listTypes } from './lines.ts';
import { fixedSection, type Section, section } from './sections.ts';

const STATUSES = ['active', 'inactive', 'pending'] as const;

/** The organization that is exported. */
interface Source {
  environmentId: string;
  organizationId: string;
  roles: OrganizationRoles;
  attached: Attached;
}

/**
 * The sections of an organization's lines, in an order in which they can be imported into an environment that has the
 * organization, its users and the model.
 */
export function organizationSections(
  environmentId: string,
  organizationId: string,
  roles: OrganizationRoles,
): Section<Line>[] {
  const source = { environmentId, organizationId, roles, attached: new Attached(environmentId, organizationId) };
  const ofMembers = [membershipLines, assignmentLines, groupMemberLines];
  return [
    ...roleSections(source),
    ...listTypes(roles.model).map(({ slug }) => resourceSection(source, slug)),
    ...groupSections(source),
    // Lines of one kind follow each other, because an import processes many lines at once as long as they are of the same
    // kind.
    ...ofMembers.flatMap(({ name, read }) => STATUSES.map((status) => memberSection(source, name, status, read))),
  ];
}

function roleSections({ organizationId, roles }: Source): Section<Line>[] {
  const own = [...roles.roles.values()].filter(({ kind }) => kind === 'OrganizationRole');
  const order = {
    object: 'role_order',
    organization_id: organizationId,
    role_slugs: [...roles.roles.values()].map(({ slug }) => slug),
    default_role: roles.defaultRole.slug,
  };
  return [
    fixedSection('organization_role', own, async (role) => [
      { object: 'organization_role', organization_id: organizationId, ...ofRole(role) },
    ]),
    fixedSection('role_order', own.length === 0 ? [] : [{ id: 'order' }], async () => [order]),
  ];
}

const resourceSection = ({ environmentId, organizationId, attached }: Source, typeSlug: string): Section<Line> =>
  section<ResourceRecord, Line>(
    `resource.${typeSlug}`,
    (window) => resources.list('byType', { environmentId, organizationId, typeSlug }).toPage(window),
    async (found) => {
      const rows = await attached.find(found.map(({ id }) => id));
      return new Map([...rows].map(([id, row]) => [id, [ofResource(row)]]));
    },
  );

const ofResource = (row: ResourceRecord): Line => ({
  object: 'authorization_resource',
  id: row.id,
  organization_id: row.organizationId,
  resource_type_slug: row.typeSlug,
  external_id: row.externalId,
  name: row.name,
  description: row.description ?? null,
  parent_resource_id: row.parentId,
  created_at: row.createdAt,
  updated_at: row.updatedAt,
});

/** A role on a resource, of a membership or a group. */
interface Grant {
  id: string;
  roleId: string;
  typeSlug: string;
  resourceId: string;
  createdAt: string;
}

/** The lines of grants, without those of deleted roles and on deleted resources. */
async function grantLines({ roles, attached }: Source, grants: readonly Grant[], holder: Line): Promise<Line[]> {
  const below = grants.filter(({ typeSlug }) => typeSlug !== ORGANIZATION_TYPE);
  const there = await attached.find(below.map(({ resourceId }) => resourceId));
  return grants.flatMap(({ id, roleId, typeSlug, resourceId, createdAt }) => {
    const role = roles.roles.get(roleId);
    const isThere = typeSlug === ORGANIZATION_TYPE || there.has(resourceId);
    if (role === undefined || !isThere) return [];
    return [{ ...holder, id, role_slug: role.slug, resource_id: resourceId, created_at: createdAt }];
  });
}

function groupSections(source: Source): Section<Line>[] {
  const { environmentId, organizationId } = source;
  const list = (window: Window) => listGroupsFor(environmentId, organizationId, undefined, window);
  const groups = section('group', list, (found) =>
    readLines(found, async ({ id, name, description = null, createdAt, updatedAt }) => {
      const times = { created_at: createdAt, updated_at: updatedAt };
      return [{ object: 'group', id, organization_id: organizationId, name, description, ...times }];
    }),
  );
  const ofGroups = section('group_role', list, async (found) => {
    const sheets = await readSheets(
      environmentId,
      found.map(({ id }) => id),
    );
    return readLines(found, ({ id }) =>
      grantLines(source, sheets.get(id) ?? [], { object: 'group_role_assignment', group_id: id }),
    );
  });
  return [groups, ofGroups];
}

type ReadMember = (source: Source, member: OrganizationMembershipRecord) => Promise<Line[]>;

const memberSection = (source: Source, name: string, status: (typeof STATUSES)[number], read: ReadMember) => {
  const { environmentId, organizationId } = source;
  return section(
    `${name}.${status}`,
    (window) => findMemberships(environmentId, { organizationId, statuses: [status] }, window),
    (found) => readLines(found, (member) => read(source, member)),
  );
};

const membershipLines: { name: string; read: ReadMember } = {
  name: 'membership',
  read: async ({ organizationId, roles: { rolesBySlug } }, member) => {
    const here = new Map([...rolesBySlug].filter(([, { resourceType }]) => resourceType === ORGANIZATION_TYPE));
    const slugs = givenRoles(member, here).map(({ slug }) => slug);
    return [
      {
        object: 'organization_membership',
        id: member.id,
        user_id: member.userId,
        organization_id: organizationId,
        status: member.status,
        ...(slugs.length === 0 ? {} : { role_slugs: slugs }),
        created_at: member.createdAt,
        updated_at: member.updatedAt,
      },
    ];
  },
};

const assignmentLines: { name: string; read: ReadMember } = {
  name: 'assignment',
  read: async (source, { id }) => {
    const { grants } = await readHoldings(source.environmentId, id);
    return grantLines(source, grants, { object: 'role_assignment', organization_membership_id: id });
  },
};

const groupMemberLines: { name: string; read: ReadMember } = {
  name: 'group_member',
  read: async ({ environmentId }, { id }) => {
    const { groups } = await readHoldings(environmentId, id, 'groups');
    // The membership may still name a recently deleted group.
    const found = await findGroupsById(environmentId, groups);
    return found.map((group) => ({ object: 'group_member', group_id: group.id, organization_membership_id: id }));
  },
};

/** The lines of some records, read in parallel. */
async function readLines<Found extends { id: string }>(
  found: readonly Found[],
  read: (record: Found) => Promise<Line[]>,
): Promise<Map<string, Line[]>> {
  return new Map(await awaitAll(found.map(async (record) => [record.id, await read(record)] as const)));
}

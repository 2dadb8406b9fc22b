/** The ids of an organization's records, as requests name them. */
export interface Ids {
  org: string;
  member: string;
  group: string;
  /** An assignment of the group. */
  groupAssignment: string;
  workspace: string;
  project: string;
  /** The external id of the project. */
  externalId: string;
  /** The external id of the workspace. */
  parentExternalId: string;
  /** An assignment of the member. */
  assignment: string;
  /** The slug of a role of the organization. */
  role: string;
}

/** A request that names records. */
export type Request = readonly [method: string, path: string, body?: object];

const reader = { role_slug: 'reader' };
const read = 'permission_slug=project:read';
const asked = { permission_slug: 'project:read' };
const project = 'resource_type_slug=project';

const holder = ({ member }: Ids): string => `/authorization/organization_memberships/${member}`;
const groupRoles = ({ group }: Ids): string => `/authorization/groups/${group}/role_assignments`;
const ownRole = ({ org, role }: Ids): string => `/authorization/organizations/${org}/roles/${role}`;
const place = ({ org, externalId }: Ids): string =>
  `/authorization/organizations/${org}/resources/project/${externalId}`;
const groupPath = ({ org, group }: Ids): string => `/organizations/${org}/groups/${group}`;
const named = ({ externalId }: Ids) => ({ resource_external_id: externalId, resource_type_slug: 'project' });
const namedParent = ({ parentExternalId }: Ids) => ({
  parent_resource_external_id: parentExternalId,
  parent_resource_type_slug: 'workspace',
});

/** A request of each operation that names records of an organization, in each way in which it names them. */
export const REQUESTS: readonly ((ids: Ids) => Request)[] = [
  (ids) => ['GET', groupRoles(ids)],
  (ids) => ['POST', groupRoles(ids), { role_slug: ids.role }],
  (ids) => ['POST', groupRoles(ids), { ...reader, resource_id: ids.project }],
  (ids) => ['POST', groupRoles(ids), { ...reader, ...named(ids) }],
  (ids) => ['PUT', groupRoles(ids), { role_assignments: [{ role_slug: 'member' }, { role_slug: ids.role }] }],
  (ids) => ['PUT', groupRoles(ids), { role_assignments: [{ ...reader, resource_id: ids.project }] }],
  (ids) => ['DELETE', groupRoles(ids), { ...reader, resource_id: ids.project }],
  (ids) => ['DELETE', groupRoles(ids), { ...reader, ...named(ids) }],
  (ids) => ['GET', `${groupRoles(ids)}/${ids.groupAssignment}`],
  (ids) => ['DELETE', `${groupRoles(ids)}/${ids.groupAssignment}`],
  (ids) => ['POST', `${holder(ids)}/check`, { ...asked, resource_id: ids.project }],
  (ids) => ['POST', `${holder(ids)}/check`, { ...asked, ...named(ids) }],
  (ids) => [
    'POST',
    `${holder(ids)}/check`,
    { ...asked, resource_external_id: ids.org, resource_type_slug: 'organization' },
  ],
  (ids) => ['GET', `${holder(ids)}/resources?${read}&parent_resource_id=${ids.workspace}`],
  (ids) => ['GET', `${holder(ids)}/resources?${read}&${new URLSearchParams(namedParent(ids)).toString()}`],
  (ids) => ['GET', `${holder(ids)}/resources/${ids.project}/permissions`],
  (ids) => ['GET', `${holder(ids)}/resources/project/${ids.externalId}/permissions`],
  (ids) => ['GET', `${holder(ids)}/role_assignments?resource_id=${ids.project}`],
  (ids) => ['GET', `${holder(ids)}/role_assignments?${new URLSearchParams(named(ids)).toString()}`],
  (ids) => ['POST', `${holder(ids)}/role_assignments`, { ...reader, resource_id: ids.project }],
  (ids) => ['POST', `${holder(ids)}/role_assignments`, { ...reader, ...named(ids) }],
  (ids) => [
    'POST',
    `${holder(ids)}/role_assignments`,
    { role_slug: ids.role, resource_external_id: ids.org, resource_type_slug: 'organization' },
  ],
  (ids) => ['DELETE', `${holder(ids)}/role_assignments`, { ...reader, resource_id: ids.project }],
  (ids) => ['DELETE', `${holder(ids)}/role_assignments`, { ...reader, ...named(ids) }],
  (ids) => ['DELETE', `${holder(ids)}/role_assignments/${ids.assignment}`],
  (ids) => ['GET', `/authorization/organizations/${ids.org}/roles`],
  (ids) => ['POST', `/authorization/organizations/${ids.org}/roles`, { name: 'New' }],
  (ids) => ['GET', ownRole(ids)],
  (ids) => ['PATCH', ownRole(ids), { name: 'New' }],
  (ids) => ['DELETE', ownRole(ids)],
  (ids) => ['POST', `${ownRole(ids)}/permissions`, { slug: 'project:read' }],
  (ids) => ['PUT', `${ownRole(ids)}/permissions`, { permissions: [] }],
  (ids) => ['DELETE', `${ownRole(ids)}/permissions/project:read`],
  (ids) => ['PUT', `/authorization/organizations/${ids.org}/roles/priority`, { role_slugs: [ids.role] }],
  (ids) => ['PUT', `/x/authorization/organizations/${ids.org}/default_role`, { role_slug: ids.role }],
  (ids) => ['GET', place(ids)],
  (ids) => ['PATCH', place(ids), { parent_resource_id: ids.workspace }],
  (ids) => ['PATCH', place(ids), namedParent(ids)],
  (ids) => ['DELETE', `${place(ids)}?cascade_delete=true`],
  (ids) => ['GET', `${place(ids)}/organization_memberships?${read}`],
  (ids) => ['GET', `${place(ids)}/role_assignments`],
  (ids) => ['GET', `/authorization/resources?organization_id=${ids.org}&parent_resource_id=${ids.workspace}`],
  (ids) => [
    'GET',
    `/authorization/resources?organization_id=${ids.org}&${project}&parent_resource_type_slug=workspace&parent_external_id=${ids.parentExternalId}`,
  ],
  (ids) => [
    'POST',
    '/authorization/resources',
    {
      organization_id: ids.org,
      resource_type_slug: 'project',
      external_id: 'new',
      name: 'New',
      parent_resource_id: ids.workspace,
    },
  ],
  (ids) => ['GET', `/authorization/resources/${ids.project}`],
  (ids) => ['PATCH', `/authorization/resources/${ids.project}`, { parent_resource_id: ids.workspace }],
  (ids) => ['PATCH', `/authorization/resources/${ids.project}`, namedParent(ids)],
  (ids) => ['DELETE', `/authorization/resources/${ids.project}?cascade_delete=true`],
  (ids) => ['GET', `/authorization/resources/${ids.project}/organization_memberships?${read}`],
  (ids) => ['GET', `/authorization/resources/${ids.project}/organization_memberships/${ids.member}/permissions`],
  (ids) => ['GET', `/authorization/resources/${ids.project}/role_assignments`],
  (ids) => ['GET', `/organizations/${ids.org}/groups`],
  (ids) => ['POST', `/organizations/${ids.org}/groups`, { name: 'New' }],
  (ids) => ['GET', groupPath(ids)],
  (ids) => ['PATCH', groupPath(ids), { name: 'New' }],
  (ids) => ['DELETE', groupPath(ids)],
  (ids) => ['GET', `${groupPath(ids)}/organization-memberships`],
  (ids) => ['POST', `${groupPath(ids)}/organization-memberships`, { organization_membership_id: ids.member }],
  (ids) => ['DELETE', `${groupPath(ids)}/organization-memberships/${ids.member}`],
  (ids) => ['GET', `/user_management/organization_memberships/${ids.member}/groups`],
  (ids) => [
    'POST',
    '/x/authorization/check',
    { organization_membership_id: ids.member, checks: [{ ...asked, resource_id: ids.project }] },
  ],
  (ids) => [
    'POST',
    '/x/authorization/explain',
    { organization_membership_id: ids.member, ...asked, resource_id: ids.project },
  ],
  (ids) => ['GET', `/x/authorization/openfga/model?organization_id=${ids.org}`],
  (ids) => ['GET', `/x/authorization/organizations/${ids.org}/openfga/tuples`],
  (ids) => ['GET', `/x/authorization/organizations/${ids.org}/export`],
];

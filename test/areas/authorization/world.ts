import { randomUUID } from 'node:crypto';

import { addTypes } from '../../support/resource-types.ts';
import { call } from '../../support/service.ts';
import { addMembership, addUser } from '../../support/users.ts';
import { newOrganization } from '../../support/organizations.ts';

export { newOrganization };

/** Workspaces below the organization, projects below either, apps below projects. */
export const TYPES = {
  workspace: ['organization'],
  project: ['organization', 'workspace'],
  app: ['project'],
} as const;

/** An organization with a member and the types of {@link TYPES}. */
export interface World {
  organizationId: string;
  membershipId: string;
}

export async function newMember(organizationId: string, status?: 'active' | 'inactive' | 'pending'): Promise<string> {
  return addMembership(await addUser(), organizationId, status);
}

export async function newWorld(): Promise<World> {
  await addTypes(TYPES);
  const organizationId = await newOrganization();
  return { organizationId, membershipId: await newMember(organizationId) };
}

/** A resource as the API shows it. */
export interface Resource {
  id: string;
  external_id: string;
  parent_resource_id: string | null;
  [member: string]: unknown;
}

/** Makes a resource and returns it. */
export async function newResource(
  organizationId: string,
  type: string,
  parent?: string,
  externalId: string = randomUUID(),
): Promise<Resource> {
  const { status, body } = await call<Resource>('POST', '/authorization/resources', {
    organization_id: organizationId,
    resource_type_slug: type,
    external_id: externalId,
    name: `${type} resource`,
    ...(parent === undefined ? {} : { parent_resource_id: parent }),
  });
  if (status !== 201) throw new Error(`A resource was not made: ${status} ${JSON.stringify(body)}`);
  return body;
}

/** Makes a permission. */
export async function newPermission(slug: string, type = 'organization'): Promise<void> {
  const body = { slug, name: slug, resource_type_slug: type };
  const { status } = await call('POST', '/authorization/permissions', body);
  if (status !== 201) throw new Error(`The permission ${slug} was not made: ${status}`);
}

/** Makes a role of the environment with permissions. */
export async function newRole(slug: string, type: string, permissions: readonly string[]): Promise<void> {
  const made = await call('POST', '/authorization/roles', { slug, name: slug, resource_type_slug: type });
  const set = await call('PUT', `/authorization/roles/${slug}/permissions`, { permissions });
  if (made.status !== 201 || set.status !== 200) throw new Error(`The role ${slug} was not made`);
}

/** Gives a member a role on a resource. */
export const assign = (membershipId: string, role: string, resourceId: string) =>
  call<{ id: string }>('POST', `/authorization/organization_memberships/${membershipId}/role_assignments`, {
    role_slug: role,
    resource_id: resourceId,
  });

/** Checks a permission of a member on a resource; returns the status if the call fails. */
export async function check(membershipId: string, permission: string, resourceId: string): Promise<boolean | number> {
  const path = `/authorization/organization_memberships/${membershipId}/check`;
  const body = { permission_slug: permission, resource_id: resourceId };
  const response = await call<{ authorized: boolean }>('POST', path, body);
  return response.status === 200 ? response.body.authorized : response.status;
}

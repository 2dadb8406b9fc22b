import { randomUUID } from 'node:crypto';

import { addTypes } from '../../support/resource-types.ts';
import { writeMembership, writeUser } from '../../support/user-rows.ts';
import { groupAssignmentSamples } from './authorization-groups.ts';
import { type Api, type AreaSamples, organization } from './sample.ts';

const membership = async (api: Api, organizationId: string): Promise<string> =>
  writeMembership(api.environmentId, { userId: await writeUser(api.environmentId), organizationId });

interface Made {
  organization_id: string;
  resource_type_slug: string;
  external_id: string;
  resource_id: string;
}

const wanted = async (api: Api) => {
  await addTypes({ project: ['organization'] }, async (method, path, body) => {
    const { status, json } = await api.send(method, path, body === undefined ? {} : { body: JSON.stringify(body) });
    return { status, body: json };
  });
  const organization_id = await organization(api);
  return { organization_id, resource_type_slug: 'project', external_id: randomUUID(), name: 'Project' };
};

const resource = async (api: Api): Promise<Made> => {
  const body = await wanted(api);
  const { id } = await api.create('/authorization/resources', body);
  const { organization_id, resource_type_slug, external_id } = body;
  return { organization_id, resource_type_slug, external_id, resource_id: String(id) };
};

const byId = async (api: Api) => ({ resource_id: (await resource(api)).resource_id });

const byExternalId = async (api: Api) => {
  const { organization_id, resource_type_slug, external_id } = await resource(api);
  return { organization_id, resource_type_slug, external_id };
};

const member = async (api: Api): Promise<string> => membership(api, await organization(api));

/** A member, and a permission of one of the member's roles on the organization's own resource. */
const subject = async (api: Api) => {
  const organizationId = await organization(api);
  const { slug } = await api.create('/authorization/permissions', {
    slug: `p-${randomUUID().slice(0, 8)}`,
    name: 'Read',
  });
  const named = { resource_external_id: organizationId, resource_type_slug: 'organization' };
  return { organization_membership_id: await membership(api, organizationId), permission_slug: slug, ...named };
};

const assigned = async (api: Api) => {
  const { organization_id, resource_id } = await resource(api);
  const slug = `r-${randomUUID().slice(0, 8)}`;
  await api.create('/authorization/roles', { slug, name: 'Editor', resource_type_slug: 'project' });
  const id = await membership(api, organization_id);
  const path = `/authorization/organization_memberships/${id}/role_assignments`;
  const made = await api.create(path, { role_slug: slug, resource_id });
  return { organization_membership_id: id, role_assignment_id: String(made.id) };
};

const ROLE = { role_slug: 'editor', resource_id: 'authz_resource_none' };
/** A permission that every environment has. */
const PERMISSION = { permission_slug: 'widgets:sso:manage' };
const MEMBER = '/authorization/organization_memberships/{organization_membership_id}';

export const authorizationSamples: AreaSamples = {
  params: {
    ...groupAssignmentSamples.params,
    '/authorization/resources': async (api) => ({ organization_id: await organization(api) }),
    '/x/authorization/organizations/{organization_id}/export': async (api) => ({
      organization_id: await organization(api),
    }),
    '/x/authorization/organizations/{organization_id}/openfga/tuples': async (api) => ({
      organization_id: await organization(api),
    }),
    '/authorization/resources/{resource_id}': byId,
    '/authorization/organizations/{organization_id}/resources/{resource_type_slug}/{external_id}': byExternalId,
    '/authorization/organizations/{organization_id}/resources/{resource_type_slug}/{external_id}/role_assignments':
      byExternalId,
    '/authorization/organizations/{organization_id}/resources/{resource_type_slug}/{external_id}/organization_memberships':
      byExternalId,
    // The parent is a query member and must be in the same organization, so no sample can name it.
    [`${MEMBER}/resources`]: async () => undefined,
    [`${MEMBER}/check`]: async (api) => ({ organization_membership_id: await member(api) }),
    [`${MEMBER}/role_assignments`]: async (api) => ({ organization_membership_id: await member(api) }),
    [`${MEMBER}/role_assignments/{role_assignment_id}`]: assigned,
    [`${MEMBER}/resources/{resource_id}/permissions`]: async (api) => {
      const { organization_id, resource_id } = await resource(api);
      return { organization_membership_id: await membership(api, organization_id), resource_id };
    },
    [`${MEMBER}/resources/{resource_type_slug}/{external_id}/permissions`]: async (api) => {
      const { organization_id, resource_type_slug, external_id } = await resource(api);
      return { organization_membership_id: await membership(api, organization_id), resource_type_slug, external_id };
    },
    '/authorization/resources/{resource_id}/organization_memberships/{organization_membership_id}/permissions': async (
      api,
    ) => {
      const { organization_id, resource_id } = await resource(api);
      return { organization_membership_id: await membership(api, organization_id), resource_id };
    },
  },
  queries: {
    'authorization.resources.organization_memberships': PERMISSION,
    'authorization.resources.organization_memberships_by_external_id': PERMISSION,
    'authorization.organization_memberships.resources': { ...PERMISSION, parent_resource_id: 'authz_resource_none' },
  },
  bodies: {
    ...groupAssignmentSamples.bodies,
    'authorization.resources.create': wanted,
    'authorization.resources.update': async () => ({ name: 'Other' }),
    'authorization.resources.update_by_external_id': async () => ({ name: 'Other' }),
    'authorization.check': async () => ({ permission_slug: 'project:read', resource_id: 'authz_resource_none' }),
    'authorization.organization_memberships.role_assignments.create': async () => ROLE,
    'authorization.organization_memberships.role_assignments.remove': async () => ROLE,
    'x_authorization.check_many': async (api) => {
      const { organization_membership_id, ...check } = await subject(api);
      return { organization_membership_id, checks: [check] };
    },
    'x_authorization.explain': subject,
  },
};

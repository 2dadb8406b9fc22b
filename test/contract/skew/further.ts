import { randomUUID } from 'node:crypto';

import { addTypes } from '../../support/resource-types.ts';
import { writeMembership, writeUser } from '../../support/user-rows.ts';
import { type Api, organization } from '../samples/sample.ts';
import type { Dependent } from './dependents.ts';

const unique = (): string => randomUUID().slice(0, 8);
const post = (api: Api, path: string, body: object) => api.send('POST', path, { body: JSON.stringify(body) });
const remove = (api: Api, path: string) => api.send('DELETE', path);

async function newResource(api: Api, organization_id: string, type: string, parent?: string): Promise<string> {
  await addTypes({ shelf: ['organization'], folder: ['shelf'] }, async (method, path, body) => {
    const { status, json } = await api.send(method, path, body === undefined ? {} : { body: JSON.stringify(body) });
    return { status, body: json };
  });
  const wanted = { organization_id, resource_type_slug: type, external_id: randomUUID(), name: type };
  const { id } = await api.create('/authorization/resources', {
    ...wanted,
    ...(parent === undefined ? {} : { parent_resource_id: parent }),
  });
  return String(id);
}

/** A role of shelves, the same for all: an environment has at most 200. */
async function findRole(api: Api): Promise<string> {
  const { status, text } = await post(api, '/authorization/roles', ROLE);
  if (![201, 409].includes(status)) throw new Error(`The role was not made: ${text}`);
  return ROLE.slug;
}

const ROLE = { slug: 'librarian', name: 'Librarian', resource_type_slug: 'shelf' };

const newMember = async (api: Api, organizationId: string): Promise<string> =>
  writeMembership(api.environmentId, { userId: await writeUser(api.environmentId), organizationId });

const newGroup = async (api: Api, organizationId: string): Promise<string> =>
  String((await api.create(`/organizations/${organizationId}/groups`, { name: 'Support' })).id);

/** The changes that depend on records which the samples of the registry do not name. */
export const further: Dependent[] = [
  {
    area: 'authorization',
    change: 'POST /authorization/resources, below a parent',
    deletion: 'DELETE /authorization/resources/{resource_id}',
    open: async (api) => {
      const organization_id = await organization(api);
      const id = await newResource(api, organization_id, 'shelf');
      const wanted = { organization_id, resource_type_slug: 'folder', external_id: randomUUID(), name: 'Folder' };
      return {
        id,
        change: () => post(api, '/authorization/resources', { ...wanted, parent_resource_id: id }),
        end: () => remove(api, `/authorization/resources/${id}`),
      };
    },
  },
  {
    area: 'authorization',
    change: 'PATCH /authorization/resources/{resource_id}, to a new parent',
    deletion: 'DELETE /authorization/resources/{resource_id}',
    isExclusive: true,
    open: async (api) => {
      const organization_id = await organization(api);
      const id = await newResource(api, organization_id, 'shelf');
      const other = await newResource(api, organization_id, 'shelf');
      const moved = await newResource(api, organization_id, 'folder', other);
      const body = JSON.stringify({ parent_resource_id: id });
      return {
        id,
        change: () => api.send('PATCH', `/authorization/resources/${moved}`, { body }),
        end: () => remove(api, `/authorization/resources/${id}`),
      };
    },
  },
  {
    area: 'authorization',
    change: 'POST /authorization/organization_memberships/{organization_membership_id}/role_assignments, on a resource',
    deletion: 'DELETE /authorization/resources/{resource_id}',
    open: async (api) => {
      const organizationId = await organization(api);
      const id = await newResource(api, organizationId, 'shelf');
      const [member, role_slug] = [await newMember(api, organizationId), await findRole(api)];
      const path = `/authorization/organization_memberships/${member}/role_assignments`;
      return {
        id,
        change: () => post(api, path, { role_slug, resource_id: id }),
        end: () => remove(api, `/authorization/resources/${id}`),
      };
    },
  },
  {
    area: 'authorization',
    change: 'POST /authorization/organization_memberships/{organization_membership_id}/role_assignments, on a resource',
    deletion: 'DELETE /user_management/organization_memberships/{id}',
    open: async (api) => {
      const organizationId = await organization(api);
      const resource_id = await newResource(api, organizationId, 'shelf');
      const [id, role_slug] = [await newMember(api, organizationId), await findRole(api)];
      return {
        id,
        change: () =>
          post(api, `/authorization/organization_memberships/${id}/role_assignments`, { role_slug, resource_id }),
        end: () => remove(api, `/user_management/organization_memberships/${id}`),
      };
    },
  },
  {
    area: 'authorization',
    change: 'POST /authorization/groups/{group_id}/role_assignments, on a resource',
    deletion: 'DELETE /authorization/resources/{resource_id}',
    open: async (api) => {
      const organizationId = await organization(api);
      const id = await newResource(api, organizationId, 'shelf');
      const [group, role_slug] = [await newGroup(api, organizationId), await findRole(api)];
      return {
        id,
        change: () => post(api, `/authorization/groups/${group}/role_assignments`, { role_slug, resource_id: id }),
        end: () => remove(api, `/authorization/resources/${id}`),
      };
    },
  },
  {
    area: 'authorization',
    change: 'POST /authorization/groups/{group_id}/role_assignments, on a resource',
    deletion: 'DELETE /organizations/{organizationId}/groups/{groupId}',
    open: async (api) => {
      const organizationId = await organization(api);
      const resource_id = await newResource(api, organizationId, 'shelf');
      const [id, role_slug] = [await newGroup(api, organizationId), await findRole(api)];
      return {
        id,
        change: () => post(api, `/authorization/groups/${id}/role_assignments`, { role_slug, resource_id }),
        end: () => remove(api, `/organizations/${organizationId}/groups/${id}`),
      };
    },
  },
  ...(['org', 'user'] as const).map((kind): Dependent => ({
    area: 'user-management',
    change: 'POST /user_management/invitations, to an organization and by a user',
    deletion: kind === 'org' ? 'DELETE /organizations/{id}' : 'DELETE /user_management/users/{id}',
    open: async (api) => {
      const organization_id = await organization(api);
      const inviter_user_id = await writeUser(api.environmentId);
      await writeMembership(api.environmentId, { userId: inviter_user_id, organizationId: organization_id });
      const body = { email: `${unique()}@acme.example`, organization_id, inviter_user_id };
      return {
        id: kind === 'org' ? organization_id : inviter_user_id,
        change: () => post(api, '/user_management/invitations', body),
        end: () =>
          remove(
            api,
            kind === 'org' ? `/organizations/${organization_id}` : `/user_management/users/${inviter_user_id}`,
          ),
      };
    },
  })),
  ...(['om', 'user'] as const).map((kind): Dependent => ({
    area: 'api-keys',
    change: 'POST /user_management/users/{userId}/api_keys, of a member',
    deletion:
      kind === 'om' ? 'DELETE /user_management/organization_memberships/{id}' : 'DELETE /user_management/users/{id}',
    open: async (api) => {
      const organization_id = await organization(api);
      const userId = await writeUser(api.environmentId);
      const member = await writeMembership(api.environmentId, { userId, organizationId: organization_id });
      return {
        id: kind === 'om' ? member : userId,
        change: () => post(api, `/user_management/users/${userId}/api_keys`, { name: 'Key', organization_id }),
        end: () =>
          remove(
            api,
            kind === 'om' ? `/user_management/organization_memberships/${member}` : `/user_management/users/${userId}`,
          ),
      };
    },
  })),
  {
    area: 'connect',
    change: 'POST /connect/applications, of an organization',
    deletion: 'DELETE /organizations/{id}',
    open: async (api) => {
      const organization_id = await organization(api);
      const body = { name: 'Robot', application_type: 'm2m', organization_id };
      return {
        id: organization_id,
        change: () => post(api, '/connect/applications', body),
        end: () => remove(api, `/organizations/${organization_id}`),
      };
    },
  },
  {
    area: 'vault',
    change: 'POST /vault/v1/kv, of an organization',
    deletion: 'DELETE /organizations/{id}',
    open: async (api) => {
      const organization_id = await organization(api);
      const body = { name: unique(), value: 'secret', key_context: { organization_id } };
      return {
        id: organization_id,
        change: () => post(api, '/vault/v1/kv', body),
        end: () => remove(api, `/organizations/${organization_id}`),
      };
    },
  },
  {
    area: 'roles',
    change: 'POST /authorization/roles/{slug}/permissions, of a permission',
    deletion: 'DELETE /authorization/permissions/{slug}',
    open: async (api) => {
      const slug = `permission-${unique()}`;
      await api.create('/authorization/permissions', { slug, name: slug });
      const role = 'member';
      return {
        id: slug,
        change: () => post(api, `/authorization/roles/${role}/permissions`, { slug }),
        end: () => remove(api, `/authorization/permissions/${slug}`),
      };
    },
  },
];

import { randomUUID } from 'node:crypto';

import { type Api, type AreaSamples, organization } from './sample.ts';

const slug = (): string => `s-${randomUUID().slice(0, 8)}`;

const permission = async ({ create }: Api): Promise<string> =>
  String((await create('/authorization/permissions', { slug: slug(), name: 'Read' })).slug);

const role = async ({ create }: Api): Promise<string> =>
  String((await create('/authorization/roles', { slug: slug(), name: 'Editor' })).slug);

const organizationRole = async (api: Api): Promise<{ organizationId: string; slug: string }> => {
  const organizationId = await organization(api);
  const made = await api.create(`/authorization/organizations/${organizationId}/roles`, { name: 'Editor' });
  return { organizationId, slug: String(made.slug) };
};

export const rolesSamples: AreaSamples = {
  params: {
    '/authorization/permissions/{slug}': async (api) => ({ slug: await permission(api) }),
    '/authorization/roles/{slug}': async (api) => ({ slug: await role(api) }),
    '/x/authorization/roles/{slug}': async (api) => ({ slug: await role(api) }),
    '/x/authorization/organizations/{organizationId}/default_role': async (api) => ({
      organizationId: await organization(api),
    }),
    '/authorization/organizations/{organizationId}/roles/priority': async (api) => ({
      organizationId: await organization(api),
    }),
    '/authorization/roles/{slug}/permissions': async (api) => ({ slug: await role(api) }),
    '/authorization/organizations/{organizationId}/roles': async (api) => ({ organizationId: await organization(api) }),
    '/authorization/organizations/{organizationId}/roles/{slug}': organizationRole,
    '/authorization/organizations/{organizationId}/roles/{slug}/permissions/{permissionSlug}': async (api) => {
      const params = await organizationRole(api);
      const permissionSlug = await permission(api);
      const path = `/authorization/organizations/${params.organizationId}/roles/${params.slug}/permissions`;
      await api.send('POST', path, { body: JSON.stringify({ slug: permissionSlug }) });
      return { ...params, permissionSlug };
    },
  },
  bodies: {
    'permissions.create': async () => ({ slug: slug(), name: 'Read' }),
    'roles.create': async () => ({ slug: slug(), name: 'Editor' }),
    'roles.add_permission': async (api) => ({ slug: await permission(api) }),
    'roles.set_permissions': async (api) => ({ permissions: [await permission(api)] }),
    'roles.set_priority': async () => ({ role_slugs: ['member'] }),
    'roles.set_default': async () => ({ role_slug: 'member' }),
    'organization_roles.set_priority': async () => ({ role_slugs: ['member'] }),
    'organization_roles.set_default': async () => ({ role_slug: 'member' }),
    'authorization_model.put': async () => ({ roles: [{ slug: 'member', name: 'Member' }] }),
    'organization_roles.create': async () => ({ name: 'Editor' }),
    'organization_roles.add_permission': async (api) => ({ slug: await permission(api) }),
    'organization_roles.set_permissions': async (api) => ({ permissions: [await permission(api)] }),
  },
};

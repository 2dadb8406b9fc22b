import { writeMembership, writeUser } from '../../support/user-rows.ts';
import type { Api, AreaSamples } from './sample.ts';

const user = async ({ environmentId }: Api) => ({ id: await writeUser(environmentId) });

const organization = async ({ create }: Api): Promise<string> =>
  String((await create('/organizations', { name: 'Acme' })).id);

const membership = async (api: Api): Promise<Record<string, string>> => {
  const pair = { userId: (await user(api)).id, organizationId: await organization(api) };
  return { id: await writeMembership(api.environmentId, pair) };
};

export const userManagementSamples: AreaSamples = {
  params: {
    '/user_management/users/{id}': user,
    '/user_management/users/{id}/identities': user,
    '/user_management/users/external_id/{external_id}': async () => undefined,
    '/user_management/organization_memberships': async (api) => ({ user_id: (await user(api)).id }),
    '/user_management/organization_memberships/{id}': membership,
    '/user_management/organization_memberships/{id}/deactivate': membership,
    '/user_management/organization_memberships/{id}/reactivate': membership,
  },
  bodies: {
    'organization_memberships.create': async (api) => ({
      user_id: (await user(api)).id,
      organization_id: await organization(api),
    }),
    'user_management.update_settings': async () => ({ roles: [{ slug: 'editor' }] }),
  },
  queries: { 'organization_memberships.list': { user_id: 'user_01J00000000000000000000000' } },
};

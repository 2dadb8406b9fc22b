import { randomUUID } from 'node:crypto';

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
    '/user_management/users/external_id/{external_id}': async ({ create }) => {
      const external_id = randomUUID();
      await create('/user_management/users', { email: `${external_id}@example.com`, external_id });
      return { external_id };
    },
    '/user_management/organization_memberships': async (api) => ({ user_id: (await user(api)).id }),
    '/user_management/organization_memberships/{id}': membership,
    '/user_management/organization_memberships/{id}/deactivate': membership,
    '/user_management/organization_memberships/{id}/reactivate': membership,
  },
  bodies: {
    'users.create': async () => ({ email: `${randomUUID()}@example.com` }),
    'users.update': async () => ({ first_name: 'Ada', locale: 'en' }),
    'organization_memberships.create': async (api) => ({
      user_id: (await user(api)).id,
      organization_id: await organization(api),
    }),
    'user_management.update_settings': async () => ({ roles: [{ slug: 'editor' }] }),
  },
  queries: { 'organization_memberships.list': { user_id: 'user_01J00000000000000000000000' } },
};

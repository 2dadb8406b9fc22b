import { writeUser } from '../../support/user-rows.ts';
import { type Api, type AreaSamples, organization } from './sample.ts';

const ownOrganization = async (api: Api): Promise<Record<string, string>> => ({
  organizationId: await organization(api),
});

const key = async (api: Api): Promise<Record<string, string>> => {
  const { organizationId } = await ownOrganization(api);
  return { id: String((await api.create(`/organizations/${organizationId}/api_keys`, { name: 'CI' })).id) };
};

const user = async ({ environmentId }: Api) => ({ userId: await writeUser(environmentId) });

export const apiKeySamples: AreaSamples = {
  params: {
    '/api_keys/{id}': key,
    '/organizations/{organizationId}/api_keys': ownOrganization,
    '/user_management/users/{userId}/api_keys': user,
  },
  bodies: {
    'api_keys.expire': async () => ({ expires_at: '2999-01-01T00:00:00.000Z' }),
    'organization_api_keys.create': async () => ({ name: 'CI', expires_at: '2999-01-01T00:00:00.000Z' }),
    'user_api_keys.create': async (api) => ({
      name: 'CI',
      organization_id: (await ownOrganization(api)).organizationId,
    }),
  },
};

import { writeMembership, writeUser } from '../../support/user-rows.ts';
import type { Api, AreaSamples } from './sample.ts';

const membership = async ({ create, environmentId }: Api): Promise<Record<string, string>> => {
  const organizationId = String((await create('/organizations', { name: 'Acme' })).id);
  return { id: await writeMembership(environmentId, { userId: await writeUser(environmentId), organizationId }) };
};

export const userManagementSamples: AreaSamples = {
  params: {
    '/user_management/users/{id}': async ({ environmentId }) => ({ id: await writeUser(environmentId) }),
    '/user_management/users/{id}/identities': async ({ environmentId }) => ({ id: await writeUser(environmentId) }),
    '/user_management/users/external_id/{external_id}': async () => undefined,
    '/user_management/organization_memberships/{id}': membership,
  },
};

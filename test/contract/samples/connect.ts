import { writeUser } from '../../support/user-rows.ts';
import type { Api, AreaSamples } from './sample.ts';

const newApplication = async ({ create }: Api) => {
  const body = { name: 'Web', application_type: 'oauth', is_first_party: true };
  return { id: String((await create('/connect/applications', body)).id) };
};

export const connectSamples: AreaSamples = {
  params: {
    '/connect/applications/{id}': newApplication,
    '/connect/applications/{id}/client_secrets': newApplication,
    '/connect/client_secrets/{id}': async (api) => {
      const { id } = await newApplication(api);
      return { id: String((await api.create(`/connect/applications/${id}/client_secrets`, {})).id) };
    },
    '/user_management/users/{user_id}/authorized_applications': async ({ environmentId }) => ({
      user_id: await writeUser(environmentId),
    }),
  },
  bodies: {
    'connect_applications.create': async () => ({ name: 'Web', application_type: 'oauth', is_first_party: true }),
    'connect_applications.update': async () => ({ name: 'Renamed' }),
  },
};

import { writeUser } from '../../support/user-rows.ts';
import type { AreaSamples } from './sample.ts';

export const connectSamples: AreaSamples = {
  params: {
    '/user_management/users/{user_id}/authorized_applications': async ({ environmentId }) => ({
      user_id: await writeUser(environmentId),
    }),
  },
};

import { randomUUID } from 'node:crypto';

import { writeUser } from '../../support/user-rows.ts';
import type { Api, AreaSamples } from './sample.ts';

const flag = async ({ create }: Api): Promise<Record<string, string>> => ({
  slug: String((await create('/x/feature-flags', { slug: `flag-${randomUUID()}` })).slug),
});

export const featureFlagSamples: AreaSamples = {
  params: {
    '/feature-flags/{slug}': flag,
    '/feature-flags/{slug}/targets/{resourceId}': async (api) => ({
      ...(await flag(api)),
      resourceId: await writeUser(api.environmentId),
    }),
    '/x/feature-flags/{slug}/targets/{type}/{id}': async (api) => ({ ...(await flag(api)), type: 'job', id: '42' }),
    '/ofrep/v1/evaluate/flags/{key}': async (api) => ({ key: (await flag(api)).slug ?? '' }),
    '/organizations/{organizationId}/feature-flags': async ({ create }) => ({
      organizationId: String((await create('/organizations', { name: 'Acme' })).id),
    }),
    '/user_management/users/{userId}/feature-flags': async ({ environmentId }) => ({
      userId: await writeUser(environmentId),
    }),
  },
};

import { randomUUID } from 'node:crypto';

import { makeClientId } from '../../../functions/kernel/authentication/api-key.ts';
import type { Api, AreaSamples } from './sample.ts';

/** A user; the address is that of no other sample. */
const user = async ({ create }: Api): Promise<Record<string, string>> => ({
  id: String((await create('/user_management/users', { email: `${randomUUID()}@acme.example` })).id),
});

export const authenticationSamples: AreaSamples = {
  params: {
    '/x/user-management/users/{id}/sign_in_explanation': user,
    '/x/user-management/users/{id}/limits': user,
  },
  queries: { 'sign_in_explanations.by_address': { email: 'ada@acme.example' } },
  bodies: {
    'authentication.authorize_device': async ({ environmentId }) => ({ client_id: makeClientId(environmentId) }),
    'authentication.authenticate': async ({ environmentId }) => ({
      client_id: makeClientId(environmentId),
      grant_type: 'refresh_token',
      refresh_token: 'unknown',
    }),
    'jwt_template.preview': async (api) => ({ user_id: (await user(api)).id }),
    'impersonations.update_settings': async () => ({ enabled: true, notify_user: true }),
    'authentication.update_settings': async () => ({ sign_up: true, mfa: 'optional' }),
  },
};

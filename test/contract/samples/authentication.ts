import { makeClientId } from '../../../functions/kernel/authentication/api-key.ts';
import type { AreaSamples } from './sample.ts';

export const authenticationSamples: AreaSamples = {
  bodies: {
    'authentication.authorize_device': async ({ environmentId }) => ({ client_id: makeClientId(environmentId) }),
    'authentication.authenticate': async ({ environmentId }) => ({
      client_id: makeClientId(environmentId),
      grant_type: 'refresh_token',
      refresh_token: 'unknown',
    }),
    'authentication.update_settings': async () => ({ sign_up: true, mfa: 'optional' }),
  },
};

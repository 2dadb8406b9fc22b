import { clientIdOf } from '../../../functions/kernel/authentication/api-key.ts';
import type { AreaSamples } from './sample.ts';

export const sessionSamples: AreaSamples = {
  params: {
    '/sso/jwks/{clientId}': async ({ environmentId }) => ({ clientId: clientIdOf(environmentId) }),
  },
  bodies: {},
};

import type { Provider } from '../schema.ts';

export const provider: Provider = {
  slug: 'ringcentral',
  name: 'RingCentral',
  documentation: 'https://developers.ringcentral.com/guide/authentication/auth-code-flow',
  authMethods: ['oauth'],
  oauth: {
    authorizationUrl: 'https://platform.ringcentral.com/restapi/oauth/authorize',
    tokenUrl: 'https://platform.ringcentral.com/restapi/oauth/token',
    pkce: true,
    authenticateVia: 'basic_auth_header',
    refresh: 'rotating',
  },
  account: {
    from: 'token',
    identifier: 'owner_id',
  },
};

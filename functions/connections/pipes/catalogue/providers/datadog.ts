import type { Provider } from '../schema.ts';

export const provider: Provider = {
  slug: 'datadog',
  name: 'Datadog',
  documentation: 'https://docs.datadoghq.com/developers/authorization/oauth2_endpoints/',
  authMethods: ['oauth', 'api_key'],
  oauth: {
    authorizationUrl: 'https://{site}/oauth2/v1/authorize',
    tokenUrl: 'https://{site}/oauth2/v1/token',
    pkce: true,
    refresh: 'rotating',
  },
  config: [
    {
      name: 'site',
      label: 'Host of the Datadog site',
      scope: 'installation',
      requiredFor: [],
      values: [
        'app.datadoghq.com',
        'us3.datadoghq.com',
        'us5.datadoghq.com',
        'app.datadoghq.eu',
        'ap1.datadoghq.com',
        'ap2.datadoghq.com',
      ],
      fallback: 'app.datadoghq.com',
    },
  ],
};

import type { Provider } from '../schema.ts';

export const provider: Provider = {
  slug: 'new-relic',
  name: 'New Relic',
  documentation: 'https://docs.newrelic.com/docs/apis/intro-apis/new-relic-api-keys/',
  authMethods: ['api_key'],
};

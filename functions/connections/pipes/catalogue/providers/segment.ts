import type { Provider } from '../schema.ts';

export const provider: Provider = {
  slug: 'segment',
  name: 'Segment',
  documentation: 'https://docs.segmentapis.com/',
  authMethods: ['api_key'],
};

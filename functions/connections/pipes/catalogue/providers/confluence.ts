import { atlassianProvider } from '../families.ts';
import type { Provider } from '../schema.ts';

export const provider: Provider = atlassianProvider({
  slug: 'confluence',
  name: 'Confluence',
  scopes: ['read:confluence-space.summary', 'read:confluence-content.summary'],
  documentation: 'https://developer.atlassian.com/cloud/confluence/oauth-2-3lo-apps/',
});

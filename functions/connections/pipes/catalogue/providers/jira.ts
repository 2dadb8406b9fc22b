import { atlassianProvider } from '../families.ts';
import type { Provider } from '../schema.ts';

export const provider: Provider = atlassianProvider({
  slug: 'jira',
  name: 'Jira',
  scopes: ['read:jira-user', 'read:jira-work'],
  documentation: 'https://developer.atlassian.com/cloud/jira/platform/oauth-2-3lo-apps/',
});

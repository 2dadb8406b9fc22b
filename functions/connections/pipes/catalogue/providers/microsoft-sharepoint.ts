import { microsoftProvider } from '../families.ts';
import type { Provider } from '../schema.ts';

export const provider: Provider = microsoftProvider({
  slug: 'microsoft-sharepoint',
  name: 'Microsoft SharePoint',
  scopes: ['User.Read', 'Sites.Read.All'],
});

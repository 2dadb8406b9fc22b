import { microsoftProvider } from '../families.ts';
import type { Provider } from '../schema.ts';

export const provider: Provider = microsoftProvider({
  slug: 'microsoft-graph',
  name: 'Microsoft Graph',
  scopes: ['User.Read'],
});

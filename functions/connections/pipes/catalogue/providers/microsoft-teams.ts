import { microsoftProvider } from '../families.ts';
import type { Provider } from '../schema.ts';

export const provider: Provider = microsoftProvider({
  slug: 'microsoft-teams',
  name: 'Microsoft Teams',
  scopes: ['User.Read', 'Team.ReadBasic.All'],
});

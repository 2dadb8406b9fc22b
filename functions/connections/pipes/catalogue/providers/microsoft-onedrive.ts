import { microsoftProvider } from '../families.ts';
import type { Provider } from '../schema.ts';

export const provider: Provider = microsoftProvider({
  slug: 'microsoft-onedrive',
  name: 'Microsoft OneDrive',
  scopes: ['User.Read', 'Files.Read'],
});

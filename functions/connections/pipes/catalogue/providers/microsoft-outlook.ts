import { microsoftProvider } from '../families.ts';
import type { Provider } from '../schema.ts';

export const provider: Provider = microsoftProvider({
  slug: 'microsoft-outlook',
  name: 'Microsoft Outlook',
  scopes: ['User.Read', 'Mail.Read', 'Calendars.Read'],
});

import { googleProvider } from '../families.ts';
import type { Provider } from '../schema.ts';

export const provider: Provider = googleProvider({
  slug: 'google-contacts',
  name: 'Google Contacts',
  scopes: ['https://www.googleapis.com/auth/contacts.readonly'],
});

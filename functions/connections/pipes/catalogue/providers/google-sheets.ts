import { googleProvider } from '../families.ts';
import type { Provider } from '../schema.ts';

export const provider: Provider = googleProvider({
  slug: 'google-sheets',
  name: 'Google Sheets',
  scopes: ['https://www.googleapis.com/auth/spreadsheets.readonly'],
});

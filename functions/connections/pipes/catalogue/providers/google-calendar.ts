import { googleProvider } from '../families.ts';
import type { Provider } from '../schema.ts';

export const provider: Provider = googleProvider({
  slug: 'google-calendar',
  name: 'Google Calendar',
  scopes: ['https://www.googleapis.com/auth/calendar.readonly'],
});

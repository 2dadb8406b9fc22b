import { googleProvider } from '../families.ts';
import type { Provider } from '../schema.ts';

export const provider: Provider = googleProvider({
  slug: 'gmail',
  name: 'Gmail',
  scopes: ['https://www.googleapis.com/auth/gmail.readonly'],
});

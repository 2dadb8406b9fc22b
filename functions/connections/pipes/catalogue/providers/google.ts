import { googleProvider } from '../families.ts';
import type { Provider } from '../schema.ts';

export const provider: Provider = googleProvider({
  slug: 'google',
  name: 'Google',
  scopes: ['profile'],
});

import { googleProvider } from '../families.ts';
import type { Provider } from '../schema.ts';

export const provider: Provider = googleProvider({
  slug: 'google-drive',
  name: 'Google Drive',
  scopes: ['https://www.googleapis.com/auth/drive.file'],
});

import { fileURLToPath } from 'node:url';

import type { Client } from '../client.ts';
import { buildGo } from './build.ts';

const folder = fileURLToPath(new URL('.', import.meta.url));

/** The Go client, from the module proxy. */
export const go: Client = {
  name: 'go',
  title: 'Go, workos-go 6.5.0',
  prepare: () => buildGo({ name: 'go', folder, sources: ['steps', 'accounts', 'sign_in', 'data'], oldest: 23 }),
};

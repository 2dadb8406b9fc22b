import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { npmPackages } from '../cache.ts';
import type { Client } from '../client.ts';

const folder = fileURLToPath(new URL('.', import.meta.url));

/** npm `@workos-inc/authkit-nextjs` in an application of Next.js, and `@workos/authkit-session` in a server of Node.js. */
export const authkit: Client = {
  name: 'authkit',
  title: 'AuthKit, authkit-nextjs 4.3.2 and authkit-session 0.7.1',
  prepare: async () => {
    const installed = await npmPackages('authkit', folder);
    for (const name of ['next', 'session']) cpSync(join(folder, name), join(installed, name), { recursive: true });
    return {
      command: process.execPath,
      args: ['--disable-warning=ExperimentalWarning', join(folder, 'flows.ts')],
      env: { GATEHOUSE_AUTHKIT: installed },
    };
  },
};

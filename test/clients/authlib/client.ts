import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { cacheFolder, pythonPrograms } from '../cache.ts';
import type { Client } from '../client.ts';

const folder = fileURLToPath(new URL('.', import.meta.url));

/** PyPI `authlib`, as an application that signs users in by OpenID Connect; its steps are those of the Python client. */
export const authlib: Client = {
  name: 'authlib',
  title: 'Python, authlib 1.9.9',
  prepare: async () => {
    const programs = await pythonPrograms('authlib', join(folder, 'requirements.txt'));
    return {
      command: join(programs, 'python'),
      args: [join(folder, 'flows.py')],
      env: {
        PYTHONPATH: join(folder, '..', 'python'),
        PYTHONPYCACHEPREFIX: join(cacheFolder, 'pycache'),
        PYTHONUNBUFFERED: '1',
      },
    };
  },
};

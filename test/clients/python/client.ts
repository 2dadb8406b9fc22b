import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { cacheFolder, pythonPrograms } from '../cache.ts';
import type { Client } from '../client.ts';

const folder = fileURLToPath(new URL('.', import.meta.url));

/** The Python client, PyPI `workos`, in a virtual environment of the cache. */
export const python: Client = {
  name: 'python',
  title: 'Python, workos 10.8.0',
  prepare: async () => {
    const programs = await pythonPrograms('python', join(folder, 'requirements.txt'));
    return {
      command: join(programs, 'python'),
      args: [join(folder, 'flows.py')],
      env: { PYTHONPYCACHEPREFIX: join(cacheFolder, 'pycache'), PYTHONUNBUFFERED: '1' },
    };
  },
};

import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { pythonPrograms } from '../cache.ts';
import type { Client } from '../client.ts';

const folder = fileURLToPath(new URL('.', import.meta.url));

/** The SCIM client, PyPI `scim2-cli` with `scim2-tester`, which checks a SCIM service by RFC 7643 and 7644. */
export const scim: Client = {
  name: 'scim',
  title: 'SCIM, scim2-tester 0.5.2',
  prepare: async () => {
    const programs = await pythonPrograms('scim', join(folder, 'requirements.txt'));
    return {
      command: join(programs, 'python'),
      args: [join(folder, 'flows.py')],
      env: { PYTHONUNBUFFERED: '1' },
    };
  },
};

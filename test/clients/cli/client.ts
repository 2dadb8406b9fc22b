import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { npmPackages } from '../cache.ts';
import type { Client } from '../client.ts';

const folder = fileURLToPath(new URL('.', import.meta.url));

/** The official command line, npm `workos`, without the coding agent of 250 MB that only its `install` command needs. */
export const cli: Client = {
  name: 'cli',
  title: 'Command line, workos 0.14.0',
  prepare: async () => {
    const installed = await npmPackages('cli', folder);
    return {
      command: process.execPath,
      args: ['--disable-warning=ExperimentalWarning', join(folder, 'flows.ts')],
      env: { GATEHOUSE_CLI: join(installed, 'node_modules', 'workos', 'dist', 'bin.js') },
    };
  },
};

import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { cached, install } from '../cache.ts';
import type { Client } from '../client.ts';

const folder = fileURLToPath(new URL('.', import.meta.url));

/** The official command line, npm `workos`, without the coding agent of 250 MB that only its `install` command needs. */
export const cli: Client = {
  name: 'cli',
  title: 'Command line, workos 0.14.0',
  prepare: async () => {
    const pins = ['package.json', 'package-lock.json'].map((name) => join(folder, name));
    const installed = await cached('cli', pins, async (target) => {
      for (const name of ['package.json', 'package-lock.json']) {
        cpSync(join(folder, name), join(target, name));
      }
      const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
      await install('npm', [...args, '--cache', join(target, '.npm')], { cwd: target });
    });
    return {
      command: process.execPath,
      args: ['--disable-warning=ExperimentalWarning', join(folder, 'flows.ts')],
      env: { GATEHOUSE_CLI: join(installed, 'node_modules', 'workos', 'dist', 'bin.js') },
    };
  },
};

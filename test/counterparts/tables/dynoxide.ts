import { spawn } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';

import { tableEngineAt } from '../../../lib/local/table/engine.ts';
import type { TableEngine } from '../../../lib/local/table/engine.ts';
import { cached, install, Skipped } from '../../clients/cache.ts';
import { findFreePort } from '../../support/free-port.ts';

const folder = import.meta.dirname;
const FILES = ['package.json', 'package-lock.json'];

/** Installs dynoxide by its own lock file. @throws {Skipped} without the package registry, or on another platform */
async function findProgram(): Promise<string> {
  if (process.platform !== 'linux' || process.arch !== 'x64')
    throw new Skipped('dynoxide is fetched for Linux x64 only');
  const installed = await cached(
    'tables-dynoxide',
    FILES.map((name) => join(folder, name)),
    async (target) => {
      for (const name of FILES) cpSync(join(folder, name), join(target, name));
      await install(
        'npm',
        ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', '--cache', join(target, '.npm')],
        { cwd: target },
      );
    },
  );
  return join(installed, 'node_modules/@dynoxide/linux-x64/dynoxide');
}

/** Starts dynoxide. @param file its database; in memory if absent @throws {Skipped} if it cannot be installed */
export async function startDynoxide(file?: string): Promise<TableEngine> {
  const port = await findFreePort();
  const args = ['--port', String(port), ...(file === undefined ? [] : ['--db-path', file])];
  const child = spawn(await findProgram(), args, { stdio: ['ignore', 'ignore', 'pipe'] });
  const stop = (): void => void child.kill('SIGKILL');
  process.once('exit', stop);
  await new Promise<void>((resolve, reject) => {
    let output = '';
    child.stderr.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      if (/listening on/i.test(output)) resolve();
    });
    child.once('error', reject);
    child.once('exit', () => reject(new Error(`dynoxide ended: ${output}`)));
  });
  return {
    ...tableEngineAt(`http://127.0.0.1:${port}`),
    stop: async () => {
      process.removeListener('exit', stop);
      stop();
    },
  };
}

/**
 * `npm test`: the checks, then the tests. `npm test -- PATTERN` runs only the tests that match; every option of Jest
 * is passed on.
 */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

import { check } from './check.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const args = process.argv.slice(2);

const checked = args.length > 0 || (await check());
const jest = spawn(
  process.execPath,
  [
    '--experimental-vm-modules',
    '--disable-warning=ExperimentalWarning',
    'node_modules/jest/bin/jest.js',
    '-c',
    'test/jest.config.mjs',
    ...args,
  ],
  { cwd: root, stdio: 'inherit' },
);
jest.on('exit', (code) => {
  process.exitCode = code === 0 && checked ? 0 : 1;
  if (!checked) console.error('\nnpm run check failed: see above.');
});

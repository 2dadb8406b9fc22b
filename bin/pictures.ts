/** `npm run pictures`: photographs every hosted page and mail in Chromium, and compares the pictures with those of an earlier run. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { printHelp } from './usage.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
printHelp(
  `usage: npm run pictures [-- FOLDER] [--against EARLIER]
Saves a picture of every page and mail in FOLDER (.gatehouse/pictures if none is given): phone and desktop, both colour
schemes, four languages and Arabic, with and without JavaScript, default and own brand. Fails for a page that is too wide, in
another language, with a broken picture or a target that is too small, and for a picture that differs from that in EARLIER.`,
  process.argv.slice(2),
);
const { values, positionals } = parseArgs({ allowPositionals: true, options: { against: { type: 'string' } } });
const [folder = '.gatehouse/pictures'] = positionals;
const jest = spawn(
  process.execPath,
  [
    '--experimental-vm-modules',
    '--disable-warning=ExperimentalWarning',
    'node_modules/jest/bin/jest.js',
    '-c',
    'test/browser/jest.config.mjs',
    'test/browser/pictures',
  ],
  {
    cwd: root,
    stdio: 'inherit',
    env: {
      ...process.env,
      PICTURES: resolve(folder),
      ...(values.against === undefined ? {} : { PICTURES_AGAINST: resolve(values.against) }),
    },
  },
);
const [code] = (await once(jest, 'exit')) as [number | null];
console.log(`The pictures are in ${resolve(folder)}.`);
process.exitCode = code ?? 1;

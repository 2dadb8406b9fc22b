/** `npm run pictures`: photographs every hosted page and mail, and pages of the console, in Chromium, and compares the pictures with those of an earlier run. */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { runJest } from './jest.ts';
import { printHelp } from './usage.ts';

printHelp(
  `usage: npm run pictures [-- FOLDER] [--against EARLIER]
Saves a picture of every page and mail in FOLDER (.gatehouse/pictures if none is given): phone and desktop, both colour
schemes, four languages and Arabic, with and without JavaScript, default and own brand. Fails for a page that is too wide, in
another language, with a broken picture or a target that is too small, and for a picture that differs from that in EARLIER.`,
  process.argv.slice(2),
);
const { values, positionals } = parseArgs({ allowPositionals: true, options: { against: { type: 'string' } } });
const [folder = '.gatehouse/pictures'] = positionals;
process.exitCode = await runJest('test/browser/jest.config.mjs', ['test/browser/pictures'], {
  PICTURES: resolve(folder),
  ...(values.against !== undefined && { PICTURES_AGAINST: resolve(values.against) }),
});
console.log(`The pictures are in ${resolve(folder)}.`);

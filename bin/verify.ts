/**
 * `npm test`: the checks, then the tests. `npm test -- PATTERN` runs only the tests of a pattern; every option of Jest
 * is passed on. `npm test -- --changed [REVISION]` runs the tests that the changes since a revision (HEAD when none is
 * named) can break. `npm run browser` runs only the tests that need Chromium.
 */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

import { affectedTests } from './affected-tests.ts';
import { check } from './check.ts';
import { printHelp } from './usage.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const args = process.argv.slice(2);
printHelp(
  `usage: npm test                            all checks, then all tests that need neither Chromium nor other languages
       npm test -- PATTERN                 the test files whose path matches; -t 'TITLE' selects tests within them
       npm test -- --changed [REVISION]    the tests that the changes since a revision can break (HEAD if none is given)
       npm run browser [-- PATTERN]        the tests of the hosted pages in Chromium
All other options are those of Jest: node node_modules/jest/bin/jest.js --help. CONTRIBUTING.md has more.`,
  args,
);

if (args[0] === '--browser') {
  runJest(args.slice(1), true, 'test/browser/jest.config.mjs');
} else if (args[0] === '--changed') {
  const base = args[1] === undefined || args[1].startsWith('-') ? 'HEAD' : args[1];
  const rest = args.slice(base === args[1] ? 2 : 1);
  const tests = affectedTests(base);
  console.log(`${tests.length} test files can be affected by what changed since ${base}.`);
  if (tests.length > 0) runJest([...rest, ...tests], true);
} else {
  runJest(args, args.length > 0 || (await check()));
}

function runJest(options: readonly string[], checked: boolean, config = 'test/jest.config.mjs'): void {
  const jest = spawn(
    process.execPath,
    [
      '--experimental-vm-modules',
      '--disable-warning=ExperimentalWarning',
      'node_modules/jest/bin/jest.js',
      '-c',
      config,
      ...options,
    ],
    { cwd: root, stdio: 'inherit' },
  );
  jest.on('exit', (code) => {
    console.log(`All took ${process.uptime().toFixed(0)} s.`);
    process.exitCode = code === 0 && checked ? 0 : 1;
    if (!checked) console.error('\nnpm run check failed: see above.');
  });
}

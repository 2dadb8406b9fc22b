/**
 * `npm test`: the tests, and at the same time the checks, one after the other. `npm test -- PATTERN` runs only the tests of a
 * pattern; every option of Jest is passed on. `npm test -- --changed [REVISION]` runs the tests that the changes since a
 * revision (HEAD when none is named) can break. Without options, `npm test` leaves the corpora to `npm run corpora`. `npm run
 * browser` runs only the tests that need Chromium.
 */
import { affectedTests } from './affected-tests.ts';
import { check } from './check.ts';
import { corpora } from './corpora.ts';
import { runJest } from './jest.ts';
import { printHelp } from './usage.ts';

const args = process.argv.slice(2);
printHelp(
  `usage: npm test                            all checks, and all tests but the corpora that need neither Chromium nor other languages
       npm test -- PATTERN                 the test files whose path matches, corpora included; -t 'TITLE' selects tests within them
       npm test -- --changed [REVISION]    the tests that the changes since a revision can break (HEAD if none is given)
       npm run corpora [-- PATTERN]        the tests that take more than half a minute each: all operations, pages, rows, bundles
       npm run browser [-- PATTERN]        the tests of the hosted pages in Chromium
All other options are those of Jest: node node_modules/jest/bin/jest.js --help. CONTRIBUTING.md has more.`,
  args,
);
const NO_CHECKS = Promise.resolve([]);

if (args[0] === '--browser') {
  await runTests(args.slice(1), NO_CHECKS, 'test/browser/jest.config.mjs');
} else if (args[0] === '--corpora') {
  await runTests(args.slice(1), NO_CHECKS, 'test/corpora/jest.config.mjs');
} else if (args[0] === '--changed') {
  const base = args[1] === undefined || args[1].startsWith('-') ? 'HEAD' : args[1];
  const rest = args.slice(base === args[1] ? 2 : 1);
  console.log(`Reading the imports of what changed since ${base} …`);
  const tests = affectedTests(base);
  console.log(`${tests.length} test files can be affected:${tests.map((test) => `\n  ${test}`).join('')}`);
  if (tests.length > 0) await runTests([...rest, ...tests]);
  console.log('Checks were not run: "npm run check" does.');
} else {
  await (args.length > 0 ? runTests(args) : runTests(withoutCorpora(), check([], 1)));
}

/** The option of Jest that leaves the corpora out. It replaces the one of the configuration, so it contains that too. */
function withoutCorpora(): string[] {
  const files = corpora.map((file) => `/${file.replaceAll('.', '\\.')}$`);
  return ['--testPathIgnorePatterns', '/node_modules/', '<rootDir>/test/browser/', ...files];
}

async function runTests(
  options: readonly string[],
  checks: Promise<readonly string[]> = NO_CHECKS,
  config = 'test/jest.config.mjs',
): Promise<void> {
  const [code, failed] = await Promise.all([runJest(config, options), checks]);
  console.log(`All took ${process.uptime().toFixed(0)} s.`);
  process.exitCode = code === 0 && failed.length === 0 ? 0 : 1;
  if (failed.length > 0) {
    console.error(
      `\nFailed checks: ${failed.join(', ')}. Their output is above; "npm run check -- ${failed.join(' ')}" repeats them.`,
    );
  }
}

import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

// Every worker reads this variable, which test/support/declarations describes.
process.env.GATEHOUSE_DECLARATIONS ??= join(tmpdir(), `gatehouse-declarations-${process.pid}.jsonl`);
// The functions log as they do in production, unless a test reads their responses only.
process.env.GATEHOUSE_LOG_LEVEL ??= 'silent';

// Commands and services that tests start, and the workers, load compiled code: Node compiles it once instead of at each of some
// 150 starts. The bench has no such cache, because a function has none either.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url));

const { dependencies, devDependencies } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
/**
 * What a worker loads once instead of once for each test file: the sources of the product and the packages that the project
 * names. Loading was a third of the CPU time of the workers. oidc-provider accepts only settings that a test file's own context
 * has made.
 */
const packages = Object.keys({ ...dependencies, ...devDependencies })
  .filter((name) => !name.includes('jest') && name !== 'oidc-provider')
  .join('|');
const sources = `^${RegExp.escape(fileURLToPath(new URL('..', import.meta.url)))}(functions|lib)/`;

/** Jest runs the sources as they are: ES modules whose types Node's own stripper removes. */
export default {
  rootDir: '..',
  // Jest crawls only these folders when it starts: with node_modules it would take 25 s in a new clone.
  roots: ['<rootDir>/bin', '<rootDir>/functions', '<rootDir>/lib', '<rootDir>/test'],
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  // `npm run browser` runs these.
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/browser/'],
  testEnvironment: '<rootDir>/test/support/environment.mjs',
  extensionsToTreatAsEsm: ['.ts'],
  moduleFileExtensions: ['ts', 'mjs', 'js', 'json', 'node'],
  transform: {
    [`${sources}.*\\.ts$`]: '<rootDir>/test/support/native-module.mjs',
    '\\.ts$': '<rootDir>/test/support/strip-types.mjs',
    [`/node_modules/(${packages})/.*\\.(js|cjs|mjs)$`]: '<rootDir>/test/support/native-module.mjs',
  },
  transformIgnorePatterns: [`/node_modules/(?!(${packages})/)`],
  testSequencer: '<rootDir>/test/support/longest-first.mjs',
  setupFilesAfterEnv: ['<rootDir>/test/support/second-try.ts'],
  reporters: [
    'default',
    '<rootDir>/test/support/declarations/reporter.ts',
    '<rootDir>/test/support/unsteady-reporter.ts',
    '<rootDir>/test/support/time-reporter.ts',
  ],
  // There is one worker more than the processors of CI, because a tenth of the time of two workers is spent waiting (clocks
  // of leases, retries).
  maxWorkers: 3,
  // A worker has no open handle when it is told to end, but with busy processors Node needs 1.7 s to free its heap after its exit event
  // (measured at a load of 11). Jest's half a second ended it by force, with a warning of a leak.
  workerGracefulExitTimeout: 10_000,
  // The limit only ends tests that hang: a busy machine with one core takes ten times as long as a quiet one.
  testTimeout: 90_000,
};

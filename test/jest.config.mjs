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

/**
 * CommonJS packages that a worker loads once instead of once for each test file. Loading the CDK for each file of test/stack
 * took 30 % of a whole run, and the AWS clients with ElectroDB half a second of each file that reads the table.
 */
const native = ['aws-cdk-lib', 'constructs', 'cdk-nag', '@aws-sdk', '@smithy', 'electrodb', 'jsonschema'].join('|');

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
    '\\.ts$': '<rootDir>/test/support/strip-types.mjs',
    [`/node_modules/(${native})/.*\\.(js|cjs)$`]: '<rootDir>/test/support/native-package.mjs',
  },
  transformIgnorePatterns: [`/node_modules/(?!(${native})/)`],
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
  // The limit only ends tests that hang: a busy machine with one core takes ten times as long as a quiet one.
  testTimeout: 90_000,
};

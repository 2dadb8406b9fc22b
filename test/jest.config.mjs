import { tmpdir } from 'node:os';
import { join } from 'node:path';

// Read by every worker: test/support/declarations says what for.
process.env.GATEHOUSE_DECLARATIONS ??= join(tmpdir(), `gatehouse-declarations-${process.pid}.jsonl`);
// The functions log as they do in production; a test reads their answers.
process.env.GATEHOUSE_LOG_LEVEL ??= 'silent';

/** Jest runs the sources as they are: ES modules whose types Node's own stripper removes. */
export default {
  rootDir: '..',
  // Jest crawls only these folders when it starts: with node_modules it takes 25 s in a new clone.
  roots: ['<rootDir>/bin', '<rootDir>/functions', '<rootDir>/lib', '<rootDir>/test'],
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  // `npm run browser` runs these.
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/browser/'],
  testEnvironment: '<rootDir>/test/support/environment.mjs',
  extensionsToTreatAsEsm: ['.ts'],
  moduleFileExtensions: ['ts', 'mjs', 'js', 'json', 'node'],
  transform: {
    '\\.ts$': '<rootDir>/test/support/strip-types.mjs',
    // 30 % of a whole run went into loading the CDK anew for each file of test/stack.
    '/node_modules/(aws-cdk-lib|constructs|cdk-nag)/.*\\.js$': '<rootDir>/test/support/native-package.mjs',
  },
  transformIgnorePatterns: ['/node_modules/(?!(aws-cdk-lib|constructs|cdk-nag)/)'],
  setupFilesAfterEnv: ['<rootDir>/test/support/second-try.ts'],
  reporters: [
    'default',
    '<rootDir>/test/support/declarations/reporter.ts',
    '<rootDir>/test/support/unsteady-reporter.ts',
    '<rootDir>/test/support/time-reporter.ts',
  ],
  // One more than the processors that CI has: a tenth of the time of two workers is waiting (clocks of leases, retries).
  maxWorkers: 3,
  // A guard against what hangs, not a measurement: a busy machine of one core takes ten times as long as a quiet one.
  testTimeout: 90_000,
};

/** Jest runs the sources as they are: ES modules whose types Node's own stripper removes. */
export default {
  rootDir: '..',
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  moduleFileExtensions: ['ts', 'mjs', 'js', 'json', 'node'],
  transform: { '\\.ts$': '<rootDir>/test/support/strip-types.mjs' },
  maxWorkers: 2,
  testTimeout: 20_000,
};

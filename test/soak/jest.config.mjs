import base from '../jest.config.mjs';

// Times are measured with the real cost of a password (test/support/quick-passwords.ts).
process.env.GATEHOUSE_REAL_PASSWORDS = 'true';

/**
 * The configuration of Jest for tests that take too long for `npm test`, such as statistics or waits in real time: `npm run
 * soak -- long-tests`.
 */
export default {
  ...base,
  rootDir: '../..',
  testMatch: ['<rootDir>/test/**/*.soak.ts'],
  // `npm run soak -- trust` runs these, with quick passwords.
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/areas/trust/'],
  reporters: ['default'],
  // The files run one after the other, because they measure times.
  maxWorkers: 1,
  testTimeout: 600_000,
};

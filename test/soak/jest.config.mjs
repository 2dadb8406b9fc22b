import base from '../jest.config.mjs';

// Times are measured with the real cost of a password: test/support/quick-passwords.ts.
process.env.GATEHOUSE_REAL_PASSWORDS = 'true';

/** Jest for the tests that take too long for `npm test`: statistics, and what waits for real time. `npm run soak -- long-tests`. */
export default {
  ...base,
  rootDir: '../..',
  testMatch: ['<rootDir>/test/**/*.soak.ts'],
  reporters: ['default'],
  // One after the other: they measure times.
  maxWorkers: 1,
  testTimeout: 600_000,
};

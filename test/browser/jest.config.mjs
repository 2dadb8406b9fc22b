import base from '../jest.config.mjs';

/** The configuration of `npm run browser`: tests that need Chromium and take minutes. */
export default {
  ...base,
  rootDir: '../..',
  testMatch: ['<rootDir>/test/browser/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  // Only `npm test` checks what a whole run must have seen, and projects its time.
  reporters: base.reporters
    .filter((reporter) => !reporter.includes('/declarations/'))
    .map((reporter) => (reporter.includes('/time-reporter') ? [reporter, { isPart: true }] : reporter)),
};

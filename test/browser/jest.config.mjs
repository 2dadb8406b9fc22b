import base from '../jest.config.mjs';

/** `npm run browser`: what needs Chromium, and takes minutes. */
export default {
  ...base,
  rootDir: '../..',
  testMatch: ['<rootDir>/test/browser/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  // What a whole run must have seen is judged by `npm test`, and its time is projected there.
  reporters: base.reporters
    .filter((reporter) => !reporter.includes('/declarations/'))
    .map((reporter) => (reporter.includes('/time-reporter') ? [reporter, { projects: false }] : reporter)),
};

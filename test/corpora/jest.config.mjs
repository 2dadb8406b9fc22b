import base from '../jest.config.mjs';
import { corpora } from '../../bin/corpora.ts';

/** The configuration of `npm run corpora`: the test files that `npm test` without a pattern leaves out. */
export default {
  ...base,
  rootDir: '../..',
  testMatch: corpora.map((file) => `<rootDir>/${file}`),
  // Only `npm test` compares the declarations with what a whole run has seen, and projects its time.
  reporters: base.reporters.map((reporter) =>
    /\/(declarations|time-reporter)/.test(reporter) ? [reporter, { isPart: true }] : reporter,
  ),
};

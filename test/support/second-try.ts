import { jest } from '@jest/globals';

/**
 * On a build machine a test that failed is tried once more, at the end of its file: one of six thousand that meets a race or a
 * stall of the machine shall be mended, but not hold up a release. The reporter beside this file names each that needed it.
 * Locally nothing is tried again.
 */
if (process.env.CI) jest.retryTimes(1, { logErrorsBeforeRetry: true });

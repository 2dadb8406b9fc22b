import { jest } from '@jest/globals';

/**
 * On a build machine a failed test is tried once more, at the end of its file: one of six thousand that meets a race or
 * a delay of the machine must be fixed, but not block a release. The reporter in this folder names each test that
 * needed it. Locally nothing is retried.
 */
if (process.env.CI) jest.retryTimes(1, { logErrorsBeforeRetry: true });

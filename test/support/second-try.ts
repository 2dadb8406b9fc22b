import { jest } from '@jest/globals';

/**
 * Retries failed tests on a build machine once, at the end of their file: a single test that fails because of a race or a
 * delay of the machine must be fixed, but does not block a release. The reporter in this folder names each test that needed
 * it. Locally nothing is retried.
 */
if (process.env.CI) jest.retryTimes(1, { logErrorsBeforeRetry: true });

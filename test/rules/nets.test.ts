import { describe, expect, test } from '@jest/globals';

import { readOutcome } from '../../bin/nets.ts';

describe('a net', () => {
  test.each([
    ['that ends with status 0', 0, 'ok Python: 12 steps, 12 passed', 'ok'],
    ['that skipped a client', 0, 'ok Python\nSKIPPED SCIM: no pin\n', 'left something out'],
    ['that skipped all of itself', 0, 'SKIPPED: no Python', 'left something out'],
    ['with a test that was skipped', 0, 'Tests:       1 skipped, 39 passed, 40 total', 'left something out'],
    ['with no test that was skipped', 0, 'Tests:       40 passed, 40 total', 'ok'],
    ['whose text mentions a skip', 0, 'the client is not SKIPPED', 'ok'],
    ['that ends with status 1', 1, 'SKIPPED', 'failed'],
    ['that a signal ended', undefined, '', 'failed'],
  ] as const)('%s', (_, status, output, outcome) => {
    expect(readOutcome(status, output)).toBe(outcome);
  });
});

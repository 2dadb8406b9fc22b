import { describe, expect, test } from '@jest/globals';

import { anyCaller } from '../../functions/kernel/authentication/caller.ts';
import { described, read } from './described.ts';

describe('a header that the kernel reads', () => {
  const change = { method: 'POST', auth: anyCaller, errors: [] } as const;
  const statuses = (changes: Parameters<typeof described>[0]) =>
    Object.keys(described({ ...change, ...changes }).responses as object);

  test('is described with all responses that it can cause', () => {
    const none = ['200', '431'];
    expect(statuses({})).toEqual(none);
    expect(statuses({ idempotency: 'replay' })).toEqual(['200', '409', '422', '431']);
    expect(statuses({ dryRun: true })).toEqual(['200', '400', '431']);
    expect(statuses({ ifMatch: read })).toEqual(['200', '412', '431']);
  });

  test('can cause another response, which is no variant of the operation’s own', () => {
    for (const own of [{}, { responses: { 204: null } }]) {
      const { responses, 'x-caused-by-header': caused } = described({ ...change, dryRun: true, ...own });
      expect(responses).toEqual(expect.objectContaining(described({ ...change, ...own }).responses as object));
      expect(caused).toMatchObject({
        name: 'Gatehouse-Dry-Run',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/DryRun' } } },
      });
    }
  });
});

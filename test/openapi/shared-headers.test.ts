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

  test('can cause another body, in the status of the operation’s own or in another one', () => {
    const dryRun = { $ref: '#/components/schemas/DryRun', 'x-caused-by-header': 'Gatehouse-Dry-Run' };
    const { responses } = described({ ...change, dryRun: true });
    expect(responses[200].content['application/json'].schema.anyOf).toEqual([
      { $ref: '#/components/schemas/Thing' },
      dryRun,
    ]);
    const empty = described({ ...change, dryRun: true, responses: { 204: null } });
    expect(Object.keys(empty.responses as object).slice(0, 2)).toEqual(['200', '204']);
    const { $ref } = empty.responses[200];
    expect($ref).toBe('#/components/responses/DryRun');
    expect(empty.document.components.responses.DryRun.content['application/json'].schema).toEqual(dryRun);
  });
});

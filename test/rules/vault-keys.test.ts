import { describe, expect, test } from '@jest/globals';

import { newUuid } from '../../functions/kernel/ids.ts';
import { isUuid } from '../../functions/kernel/id-format.ts';
import { contextProblem, keyName, KMS_KEY_ARN, organizationOf } from '../../functions/connections/vault/key/rules.ts';
import { formatStatement } from '../../functions/connections/vault/shredding/rules.ts';

describe('ids of vault objects', () => {
  test('are UUIDs of version 7 that sort as text by creation', () => {
    const ids = Array.from({ length: 10_000 }, () => newUuid());
    expect(ids.every((id) => isUuid(id) && id[14] === '7' && /[89ab]/.test(id[19] ?? ''))).toBe(true);
    expect(ids.toSorted()).toEqual(ids);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe('a vault context', () => {
  test('can have up to ten entries and 6 KiB, in any script', () => {
    const ten = Object.fromEntries(Array.from({ length: 10 }, (_, at) => [`n${at}`, 'ü'.repeat(290)]));
    expect(contextProblem(ten)).toBeUndefined();
    expect(contextProblem({})).toBeUndefined();
    expect(contextProblem({ ...ten, n0: 'ü'.repeat(500) })).toContain('bytes');
    expect(contextProblem({ ...ten, more: 'v' })).toContain('10 entries');
  });

  test.each([{ 'AWS:x': 'v' }, { 'gatehouse:id': 'v' }, { '': 'v' }, { name: '' }, { name: '\ud800' }])(
    'is rejected: %p',
    (context) => {
      expect(contextProblem(context)).toBeDefined();
    },
  );

  test('results in the organization that it names and a readable name for its key', () => {
    expect(organizationOf({ organization_id: 'org_1' })).toBe('org_1');
    expect(organizationOf({ team: 'blue' })).toBeUndefined();
    expect(keyName({ b: '2', a: '1' })).toBe('a=1,b=2');
    expect(keyName({})).toBe('environment');
    expect(keyName({ a: 'x'.repeat(500) })).toHaveLength(200);
  });
});

test.each([
  ['arn:aws:kms:eu-west-1:111122223333:key/01234567-89ab-cdef-0123-456789abcdef', true],
  ['arn:aws-us-gov:kms:us-gov-west-1:111122223333:key/mrk-0123456789abcdef0123456789abcdef', true],
  ['arn:aws:kms:eu-west-1:111122223333:alias/theirs', false],
  ['alias/gatehouse', false],
  ['01234567-89ab-cdef-0123-456789abcdef', false],
])('%s is a permanent name of a KMS key: %p', (arn, isKey) => {
  expect(KMS_KEY_ARN.test(arn)).toBe(isKey);
});

test('a receipt’s statement with the longest names is within the limit of KMS', () => {
  const statement = formatStatement(
    {
      stage: 'x'.repeat(64),
      environmentId: `environment_${'0'.repeat(26)}`,
      organizationId: `org_${'0'.repeat(26)}`,
      keyId: newUuid(),
      keyCreatedAt: '2026-01-01T00:00:00.000Z',
      destroyedAt: '2026-01-01T00:00:00.000Z',
      kmsKeyId: `mrk-${'0'.repeat(32)}`,
      kmsDeletionAt: '2026-01-08T00:00:00.000Z',
    },
    { checkedAt: '2026-01-01T00:02:00.000Z' },
  );
  expect(Buffer.byteLength(statement)).toBeLessThan(4_096);
});

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import { collection } from '../../../functions/kernel/storage/collection.ts';
import { entity } from '../../../functions/kernel/storage/entity.ts';
import {
  attributeIndex,
  model,
  partition,
  recordAttributes,
  sortedBy,
} from '../../../functions/kernel/storage/record.ts';
import { startMemoryTable, type TestTable } from '../../support/table.ts';

const pages = collection(
  entity({
    model: model('page'),
    attributes: {
      ...recordAttributes,
      bookId: { type: 'string', required: true },
      externalId: { type: 'string', required: true },
      firstWord: { type: 'string', required: true },
    },
    indexes: {
      primary: { pk: partition('pk', 'page', 'bookId', 'externalId'), sk: sortedBy('sk', 'id') },
      byWord: attributeIndex('page', 'firstWord', 'externalId'),
    },
  }),
  'internal',
);

const at = { environmentId: 'environment_1', id: 'page_1' };
const page = { ...at, bookId: 'a', externalId: 'b', firstWord: 'c' };
const LONG = 'x'.repeat(1_020);

let table: TestTable;
beforeAll(async () => {
  table = await startMemoryTable();
});
afterAll(() => table.stop());

describe('a key of two parts that only together are too long', () => {
  test.each([
    ['of the table', { bookId: LONG, externalId: `${LONG}xx` }, 'external_id'],
    ['of an index', { externalId: LONG, firstWord: `${LONG}xx` }, 'first_word'],
    ['of characters with several bytes', { bookId: '€'.repeat(340), externalId: '€'.repeat(341) }, 'external_id'],
  ])('is an invalid input in a write, which names the longest member: %s', (_, changed, field) => {
    expect(() => pages.create({ ...page, ...changed })).toThrow(
      expect.objectContaining({
        declared: expect.objectContaining({ status: 422 }),
        details: { issues: [expect.objectContaining({ field, code: 'too_big' })] },
      }),
    );
  });

  test('is an invalid input in a write that has only the key', () => {
    const key = { ...page, bookId: LONG, externalId: LONG };
    expect(() => pages.removeByKey(key)).toThrow(expect.objectContaining({ name: 'Failure' }));
  });

  test('finds no record and lists none', async () => {
    const parts = { bookId: LONG, externalId: LONG };
    expect(await pages.get(at.environmentId, at.id, parts)).toBeUndefined();
    expect(await pages.getAt({ ...at, ...parts })).toBeUndefined();
    expect(await pages.list('primary', { environmentId: at.environmentId, ...parts }).toArray()).toEqual([]);
    const byWord = { environmentId: at.environmentId, firstWord: LONG, externalId: LONG };
    expect(await pages.list('byWord', byWord).toPage({ scan: 'asc', limit: 1 })).toEqual({ records: [] });
  });
});

import type { QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';

import { tableClient } from '../../../functions/kernel/storage/client.ts';
import { collection } from '../../../functions/kernel/storage/collection.ts';
import { entity } from '../../../functions/kernel/storage/entity.ts';
import { childKey, creationIndex, model, recordAttributes } from '../../../functions/kernel/storage/record.ts';
import { Unit } from '../../../functions/kernel/storage/unit.ts';
import { startMemoryTable, type TestTable } from '../../support/table.ts';

const pages = collection(
  entity({
    model: model('list-all-page'),
    attributes: { ...recordAttributes, bookId: { type: 'string', required: true }, text: { type: 'string' } },
    indexes: { primary: childKey('list-all-page', 'bookId'), byCreation: creationIndex('list-all-page') },
  }),
  'internal',
);

const environmentId = 'environment_1';
const ids = ['page_1', 'page_2', 'page_3', 'page_4', 'page_5'];
/** A fifth of the megabyte that DynamoDB reads with one Query, and a bit more. */
const text = 'x'.repeat(250_000);
let table: TestTable;
const queries: QueryCommandInput[] = [];

beforeAll(async () => {
  table = await startMemoryTable();
  for (const [bookId, own] of [
    ['long', ids],
    ['other', ['page_9']],
  ] as const) {
    for (const id of own.toReversed()) {
      const unit = new Unit(environmentId, { id: 'test', source: 'api', name: null });
      unit.stage(pages.create({ environmentId, id, bookId, text }).write);
      await unit.commit();
    }
  }
  tableClient().middlewareStack.add(
    (next, { commandName }) =>
      (args) => {
        if (commandName === 'QueryCommand') queries.push(args.input as QueryCommandInput);
        return next(args);
      },
    { step: 'initialize', name: 'observe' },
  );
});
beforeEach(() => void queries.splice(0));
afterAll(() => table.stop());

test('the whole list of a parent is read in ascending order, by one strongly consistent Query for each megabyte', async () => {
  const read = await pages.list('primary', { environmentId, bookId: 'long' }).toArray();
  expect(read.map(({ id }) => id)).toEqual(ids);
  expect(queries.map(({ ConsistentRead }) => ConsistentRead)).toEqual([true, true]);
});

test('the whole list of an index has the records of all parents, and is not strongly consistent', async () => {
  const read = await pages.list('byCreation', { environmentId }).toArray();
  expect(read.map(({ id }) => id)).toEqual([...ids, 'page_9']);
  expect(queries.map(({ ConsistentRead }) => ConsistentRead)).toEqual([undefined, undefined]);
});

test('a list without records is empty, and so is that of another environment', async () => {
  expect(await pages.list('primary', { environmentId, bookId: 'none' }).toArray()).toEqual([]);
  expect(await pages.list('primary', { environmentId: 'environment_2', bookId: 'long' }).toArray()).toEqual([]);
});

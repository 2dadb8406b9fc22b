import { type BatchGetCommandInput, PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, expect, test } from '@jest/globals';

import { tableClient } from '../../../functions/kernel/storage/client.ts';
import { readRow, readTogether } from '../../../functions/kernel/storage/together.ts';
import { settings } from '../../../functions/kernel/settings.ts';
import { startMemoryTable, type TestTable } from '../../support/table.ts';

let table: TestTable;
/** The commands that were sent, and the number of keys that the next BatchGetItems leave unread. */
const sent: string[] = [];
let unread: number[] = [];

const key = (at: number) => ({ pk: `row ${at}`, sk: 'record' });

beforeAll(async () => {
  table = await startMemoryTable();
  await Promise.all(
    Array.from({ length: 205 }, (_, at) =>
      tableClient().send(new PutCommand({ TableName: settings().GATEHOUSE_TABLE, Item: { ...key(at), at } })),
    ),
  );
  tableClient().middlewareStack.add(
    (next, context) => async (args) => {
      sent.push(String(context.commandName));
      const left = context.commandName === 'BatchGetItemCommand' ? (unread.shift() ?? 0) : 0;
      const items = (args.input as BatchGetCommandInput).RequestItems;
      const [name = '', request] = Object.entries(items ?? {})[0] ?? [];
      const kept = request?.Keys?.splice(0, left);
      const result = await next(args);
      if (kept !== undefined && kept.length > 0) {
        Object.assign(result.output as object, { UnprocessedKeys: { [name]: { Keys: kept } } });
      }
      return result;
    },
    { step: 'initialize', name: 'observe' },
  );
});

afterAll(() => table.stop());

const readAll = (count: number) =>
  readTogether(() => Promise.all(Array.from({ length: count }, async (_, at) => (await readRow(key(at)))?.at)));

const counting = async <T>(work: () => Promise<T>): Promise<[T, string[]]> => {
  sent.length = 0;
  const result = await work();
  return [result, [...sent]];
};

test('reads in one batch share a BatchGetItem, and a single read uses GetItem', async () => {
  const [rows, commands] = await counting(() => readAll(3));
  expect([rows, commands]).toEqual([[0, 1, 2], ['BatchGetItemCommand']]);
  expect(await counting(() => readAll(1))).toEqual([[0], ['GetItemCommand']]);
  expect((await counting(() => readRow(key(7))))[1]).toEqual(['GetItemCommand']);
});

test('each row is read once, a missing row is undefined, and a batch within a batch joins it', async () => {
  const [rows, commands] = await counting(() =>
    readTogether(() => Promise.all([readRow(key(1)), readAll(2), readRow(key(1)), readRow(key(999))])),
  );
  expect(rows).toEqual([{ ...key(1), at: 1 }, [0, 1], { ...key(1), at: 1 }, undefined]);
  expect(commands).toEqual(['BatchGetItemCommand']);
});

test('more than a hundred rows need one request for each hundred', async () => {
  const [rows, commands] = await counting(() => readAll(205));
  expect(rows).toEqual(Array.from({ length: 205 }, (_, at) => at));
  expect(commands).toHaveLength(3);
});

test('reads that begin after the callback has waited are sent separately', async () => {
  const [, commands] = await counting(() =>
    readTogether(async () => {
      await readRow(key(1));
      await Promise.all([readRow(key(2)), readRow(key(3))]);
    }),
  );
  expect(commands).toEqual(['GetItemCommand', 'GetItemCommand', 'GetItemCommand']);
});

test('keys that DynamoDB returns as unprocessed are read again, once', async () => {
  unread = [2];
  const [rows, commands] = await counting(() => readAll(4));
  expect([rows, commands]).toEqual([
    [0, 1, 2, 3],
    ['BatchGetItemCommand', 'BatchGetItemCommand'],
  ]);
  unread = [2, 1];
  await expect(readAll(4)).rejects.toThrow('unread');
  expect(unread).toEqual([]);
});

test('a callback that throws leaves no pending batch', async () => {
  expect(() =>
    readTogether(() => {
      throw new Error('before a read');
    }),
  ).toThrow('before a read');
  expect((await counting(() => readRow(key(1))))[1]).toEqual(['GetItemCommand']);
});

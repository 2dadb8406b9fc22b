import { PutCommand } from '../../../functions/kernel/storage/commands.ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';

import { useTransport } from '../../../functions/kernel/aws/transport.ts';
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
  const send = useTransport(async (attempt) => {
    sent.push(attempt.operation);
    const left = attempt.operation === 'BatchGetItem' ? (unread.shift() ?? 0) : 0;
    const { RequestItems = {} } = attempt.input as { RequestItems?: Record<string, { Keys?: object[] }> };
    const [name = '', request] = Object.entries(RequestItems)[0] ?? [];
    const kept = request?.Keys?.splice(0, left) ?? [];
    const reply = await send(attempt);
    if (kept.length > 0) reply.body.UnprocessedKeys = { [name]: { Keys: kept } };
    return reply;
  });
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
  expect([rows, commands]).toEqual([[0, 1, 2], ['BatchGetItem']]);
  expect(await counting(() => readAll(1))).toEqual([[0], ['GetItem']]);
  expect((await counting(() => readRow(key(7))))[1]).toEqual(['GetItem']);
});

test('each row is read once, a missing row is undefined, and a batch within a batch joins it', async () => {
  const [rows, commands] = await counting(() =>
    readTogether(() => Promise.all([readRow(key(1)), readAll(2), readRow(key(1)), readRow(key(999))])),
  );
  expect(rows).toEqual([{ ...key(1), at: 1 }, [0, 1], { ...key(1), at: 1 }, undefined]);
  expect(commands).toEqual(['BatchGetItem']);
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
  expect(commands).toEqual(['GetItem', 'GetItem', 'GetItem']);
});

test('keys that DynamoDB returns as unprocessed are read again, once', async () => {
  unread = [2];
  const [rows, commands] = await counting(() => readAll(4));
  expect([rows, commands]).toEqual([
    [0, 1, 2, 3],
    ['BatchGetItem', 'BatchGetItem'],
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
  expect((await counting(() => readRow(key(1))))[1]).toEqual(['GetItem']);
});

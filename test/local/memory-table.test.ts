import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';

import { callAws, type Engine } from '../../lib/local/aws-call.ts';
import { AwsError } from '../../lib/local/aws-json.ts';
import { MemoryTables } from '../../lib/local/memory-table/engine.ts';
import { RESERVED_WORDS } from '../../lib/local/memory-table/reserved-words.ts';
import { type Entry, Partition } from '../../lib/local/memory-table/rows.ts';
import { startTableEngine, type TableEngine } from '../../lib/local/table/engine.ts';
import { StreamReader } from '../../lib/local/table/stream-reader.ts';
import { dropTable, makeTable, readItems, scan, writeBatches } from '../../lib/local/table/tables.ts';
import { tables } from '../../lib/topology/resources.ts';
import { calls, TableName } from './table-calls.ts';

const [table] = tables.filter(({ stream }) => stream);
let stored: TableEngine;
const memory = new MemoryTables().engine();

beforeAll(async () => {
  stored = await startTableEngine(undefined, () => undefined);
});
afterAll(() => stored.stop());

/** An outcome of a call: the response, or the error's type with the reasons of a cancelled transaction. */
async function outcome(engine: Engine, operation: string, input: object): Promise<unknown> {
  try {
    return comparable(await callAws(engine, operation, input));
  } catch (error) {
    if (!(error instanceof AwsError)) throw error;
    if (error.type !== 'TransactionCanceledException') return { error: error.type };
    return { error: error.type, codes: /\[([\w, ]+)\]$/.exec(error.message)?.[1] };
  }
}

/** A response without what may differ: the order of a set's members, and capacity. */
function comparable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(comparable);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([name]) => name !== 'ConsumedCapacity');
  return Object.fromEntries(
    entries.map(([name, held]) => [name, /^[SN]S$/.test(name) ? [...(held as string[])].sort() : comparable(held)]),
  );
}

async function emptyTable(engine: Engine): Promise<void> {
  await dropTable(engine, TableName);
  if (table !== undefined) await makeTable(engine, TableName, table, false);
}

/** The errors that both engines have for a call. */
async function errors(operation: string, input: object): Promise<unknown[]> {
  return [await outcome(stored, operation, input), await outcome(memory, operation, input)];
}

describe('the engine in memory', () => {
  test('responds to any calls as the engine with a file does', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(calls, { minLength: 5, maxLength: 40 }), async (sequence) => {
        await Promise.all([emptyTable(stored), emptyTable(memory)]);
        for (const [operation, input] of sequence) {
          const [wanted, received] = await Promise.all([
            outcome(stored, operation, input),
            outcome(memory, operation, input),
          ]);
          expect({ operation, input, result: received }).toEqual({ operation, input, result: wanted });
        }
      }),
      { numRuns: 40 },
    );
  });

  test.each([
    ['an item without its sort key', 'PutItem', { Item: { pk: { S: 'a' } } }],
    ['an empty key', 'PutItem', { Item: { pk: { S: '' }, sk: { S: '1' } } }],
    ['a number as a key', 'PutItem', { Item: { pk: { N: '1' }, sk: { S: '1' } } }],
    [
      'an empty key of an index',
      'PutItem',
      { Item: { pk: { S: 'a' }, sk: { S: '1' }, gsi1pk: { S: '' }, gsi1sk: { S: 'x' } } },
    ],
    ['text as a number', 'PutItem', { Item: { pk: { S: 'a' }, sk: { S: '1' }, one: { N: 'seven' } } }],
    ['an empty set', 'PutItem', { Item: { pk: { S: 'a' }, sk: { S: '1' }, one: { SS: [] } } }],
    ['an item above 400 KB', 'PutItem', { Item: { pk: { S: 'a' }, sk: { S: '1' }, one: { S: 'x'.repeat(410_000) } } }],
    ['a partition key above 2048 bytes', 'PutItem', { Item: { pk: { S: 'a'.repeat(2_049) }, sk: { S: '1' } } }],
    ['a key with one attribute', 'GetItem', { Key: { pk: { S: 'a' } } }],
    ['a sort key above 1024 bytes', 'GetItem', { Key: { pk: { S: 'a' }, sk: { S: 'a'.repeat(1_025) } } }],
    [
      'a query without a partition',
      'Query',
      { KeyConditionExpression: 'sk = :a', ExpressionAttributeValues: { ':a': { S: 'a' } } },
    ],
    [
      'a reserved word',
      'Query',
      { KeyConditionExpression: 'pk = :a AND status = :a', ExpressionAttributeValues: { ':a': { S: 'a' } } },
    ],
    [
      'a value that no expression uses',
      'Query',
      { KeyConditionExpression: 'pk = :a', ExpressionAttributeValues: { ':a': { S: 'a' }, ':b': { S: 'a' } } },
    ],
    [
      'a placeholder without a value',
      'Query',
      { KeyConditionExpression: 'pk = :b', ExpressionAttributeValues: { ':a': { S: 'a' } } },
    ],
    [
      'an unknown index',
      'Query',
      { IndexName: 'none', KeyConditionExpression: 'pk = :a', ExpressionAttributeValues: { ':a': { S: 'a' } } },
    ],
  ])('rejects, like the engine with a file, %s', async (_, operation, input) => {
    await Promise.all([emptyTable(stored), emptyTable(memory)]);
    const error = { error: 'ValidationException' };
    expect(await errors(operation, { TableName, ...input })).toEqual([error, error]);
  });

  test('has no word in its list of reserved words that the other engine accepts, and accepts others', async () => {
    await Promise.all([emptyTable(stored), emptyTable(memory)]);
    const use = (word: string) => ({
      TableName,
      Key: { pk: { S: 'a' }, sk: { S: '1' } },
      UpdateExpression: `SET ${word} = :a`,
      ExpressionAttributeValues: { ':a': { S: 'x' } },
    });
    for (const word of [...RESERVED_WORDS, 'holder', 'createdAt']) {
      const [wanted, received] = await errors('UpdateItem', use(word.toLowerCase()));
      expect([word, received]).toEqual([word, wanted]);
    }
  });

  test('reads and writes batches, and projects what a read names', async () => {
    await Promise.all([emptyTable(stored), emptyTable(memory)]);
    const items = Array.from({ length: 20 }, (_, at) => ({
      pk: { S: 'a' },
      sk: { S: String(at) },
      one: { M: { in: { S: 'x' }, out: { L: [{ S: 'y' }, { N: '1' }] } } },
    }));
    const Keys = items.map(({ pk, sk }) => ({ pk, sk }));
    const projection = {
      ProjectionExpression: 'sk, #one.#out[1]',
      ExpressionAttributeNames: { '#one': 'one', '#out': 'out' },
    };
    for (const engine of [stored, memory]) {
      await writeBatches(
        engine,
        TableName,
        items.map((Item) => ({ PutRequest: { Item } })),
      );
      await writeBatches(
        engine,
        TableName,
        Keys.slice(0, 5).map((Key) => ({ DeleteRequest: { Key } })),
      );
      const read = { RequestItems: { [TableName]: { Keys, ...projection } } };
      const { Responses } = await callAws<{ Responses: Record<string, unknown[]> }>(engine, 'BatchGetItem', read);
      expect(Responses[TableName]).toHaveLength(15);
      expect(Responses[TableName]).toContainEqual({ sk: { S: '7' }, one: { M: { out: { L: [{ N: '1' }] } } } });
      expect(await readItems(engine, TableName)).toHaveLength(15);
    }
  });

  test('ends a page at a mebibyte, and continues after it', async () => {
    await emptyTable(memory);
    const big = { S: 'x'.repeat(300_000) };
    for (const sk of ['1', '2', '3', '4', '5']) {
      await callAws(memory, 'PutItem', { TableName, Item: { pk: { S: 'a' }, sk: { S: sk }, big } });
    }
    const pages: number[] = [];
    for await (const page of scan(memory, TableName)) pages.push(page.length);
    expect(pages).toEqual([4, 1]);
  });

  test.each([
    ['increasing', (at: number) => at],
    ['decreasing', (at: number) => -at],
    ['scattered', (at: number) => (at * 7_919) % 5_003],
  ])(
    'keeps thousands of rows of a partition in order when their keys are %s and half of them are removed',
    (_name, number) => {
      const partition = new Partition();
      const makeEntry = (at: number): Entry => {
        const sort = String(number(at) + 10_000);
        return { sort, row: { item: {}, size: 0, pk: 'p', sk: sort } };
      };
      const all = Array.from({ length: 5_000 }, (_, at) => makeEntry(at));
      for (const entry of [...all, ...all.slice(0, 700)]) partition.put(entry);
      const removed = new Set(all.filter((_, at) => at % 2 === 0 || (at > 1_000 && at < 2_500)));
      for (const entry of [...removed, ...removed]) partition.remove(entry);
      const expected = all
        .filter((entry) => !removed.has(entry))
        .map(({ sort }) => sort)
        .sort();
      const middle = expected[1_000] ?? '';
      expect([...partition.after(() => false)].map(({ sort }) => sort)).toEqual(expected);
      expect([...partition.before(() => true)].map(({ sort }) => sort)).toEqual(expected.toReversed());
      expect([...partition.after(({ sort }) => sort < middle)].map(({ sort }) => sort)).toEqual(expected.slice(1_000));
      expect([...partition.before(({ sort }) => sort < middle)].map(({ sort }) => sort)).toEqual(
        expected.slice(0, 1_000).toReversed(),
      );
      expect(partition.find(({ sort }) => sort < middle)?.sort).toBe(middle);
      expect(partition.find(() => true)).toBeUndefined();
    },
  );

  test('carries out a transaction once for a token, and rejects the token with other content', async () => {
    await emptyTable(memory);
    const Update = {
      TableName,
      Key: { pk: { S: 'a' }, sk: { S: '1' } },
      UpdateExpression: 'ADD version :one',
      ExpressionAttributeValues: { ':one': { N: '1' } },
    };
    const send = (key: string) =>
      outcome(memory, 'TransactWriteItems', {
        TransactItems: [{ Update: { ...Update, Key: { ...Update.Key, sk: { S: key } } } }],
        ClientRequestToken: 'token',
      });
    expect([await send('1'), await send('1')]).toEqual([{}, {}]);
    expect(await send('2')).toEqual({ error: 'IdempotentParameterMismatchException' });
    const { Item } = await callAws<{ Item: object }>(memory, 'GetItem', { TableName, Key: Update.Key });
    expect(Item).toMatchObject({ version: { N: '1' } });
  });

  test('has a record in the stream for each change, none for a write that changes nothing, and no earlier ones after a reset', async () => {
    const tablesInMemory = new MemoryTables();
    const engine = tablesInMemory.engine();
    if (table !== undefined) await makeTable(engine, TableName, table, true);
    const positions = new Map<string, string>();
    const reader = await StreamReader.open(engine, TableName, {
      get: (shard) => positions.get(shard),
      set: (shard, sequence) => positions.set(shard, sequence),
    });
    const Key = { pk: { S: 'a' }, sk: { S: '1' } };
    const write = async (...ones: string[]) => {
      for (const one of ones) await callAws(engine, 'PutItem', { TableName, Item: { ...Key, one: { S: one } } });
    };
    await write('x', 'x', 'y');
    await callAws(engine, 'DeleteItem', { TableName, Key });
    const { shard, records } = await reader.next(10);
    expect(records.map(({ eventName, dynamodb }) => [eventName, dynamodb.NewImage?.one])).toEqual([
      ['INSERT', { S: 'x' }],
      ['MODIFY', { S: 'y' }],
      ['REMOVE', undefined],
    ]);
    reader.pass(shard, records.at(-1)?.dynamodb.SequenceNumber ?? '');
    await write('before the reset');
    tablesInMemory.clear(() => true);
    await write('after the reset');
    expect((await reader.next(10)).records.map(({ dynamodb }) => dynamodb.NewImage?.one)).toEqual([
      { S: 'after the reset' },
    ]);
  });
});

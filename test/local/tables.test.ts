import { describe, expect, test } from '@jest/globals';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { callAws } from '../../lib/local/aws-call.ts';
import { StreamReader } from '../../lib/local/table/stream-reader.ts';
import { makeTable, readItems, writeBatches } from '../../lib/local/table/tables.ts';
import { engine, key, local, open, put, reject, run, table, TableName, text, where } from './tested-table.ts';
import { newFolder } from './trial/start.ts';

describe('a request that DynamoDB rejects', () => {
  test.each([
    ['an item without its sort key', 'PutItem', { Item: { pk: { S: 'a' } } }],
    ['a number as a key', 'PutItem', { Item: { pk: { N: '1' }, sk: { S: '1' } } }],
    ['half of a surrogate pair as a key', 'PutItem', { Item: key('\uD800') }],
    ['text as a number', 'PutItem', { Item: { ...key(1), one: { N: 'seven' } } }],
    ['an empty set', 'PutItem', { Item: { ...key(1), one: { SS: [] } } }],
    ['a key with one attribute', 'GetItem', { Key: { pk: { S: 'a' } } }],
    ['a key with a further attribute', 'GetItem', { Key: { ...key(1), one: { S: 'a' } } }],
    ['a consistent read of an index', 'Query', { IndexName: 'gsi1', ConsistentRead: true, ...where('gsi1pk = :a') }],
    ['a query without a partition', 'Query', where('sk = :a')],
    ['a reserved word', 'Query', where('pk = :a AND status = :a')],
    ['an unknown index', 'Query', { IndexName: 'none', ...where('pk = :a') }],
    ['a filter on a key', 'Query', { ...where('pk = :a'), FilterExpression: 'attribute_exists(sk)' }],
    ['a start of another partition', 'Query', { ...where('pk = :a'), ExclusiveStartKey: key(1, 'b') }],
    ['a start outside of the range', 'Query', { ...where('pk = :a AND sk > :a'), ExclusiveStartKey: key('A') }],
    ['a value that no expression uses', 'Query', { ...where('pk = :a', { ':b': { S: 'a' } }) }],
    ['a placeholder without a value', 'Query', where('pk = :b')],
    ['overlapping paths', 'GetItem', { Key: key(1), ProjectionExpression: 'one, one.two' }],
    ['new values of a put', 'PutItem', { Item: key(1), ReturnValues: 'ALL_NEW' }],
    ['a change of a key', 'UpdateItem', { Key: key(1), UpdateExpression: 'REMOVE sk' }],
  ])('has the error ValidationException: %s', async (_, operation, input) => {
    expect(await reject(operation, input)).toMatchObject({ type: 'ValidationException' });
  });
});

describe('a range of sort keys', () => {
  const sorted = ['1', '10', '2', 'a', 'a\uD7FF', 'a\uFFFD', 'a\u{10FFFF}', 'b', '\u{1F600}'];
  const read = async (condition: string, values: Record<string, string>, more: object = {}): Promise<string[]> => {
    const { Items } = await run('Query', {
      KeyConditionExpression: `pk = :pk AND ${condition}`,
      ExpressionAttributeValues: {
        ':pk': { S: 'a' },
        ...Object.fromEntries(Object.entries(values).map(([name, S]) => [name, { S }])),
      },
      ...more,
    });
    return Items.map(({ sk }) => sk?.S ?? '');
  };

  test('has the order of UTF-8 bytes, and the rows of a prefix to the last character', async () => {
    for (const sk of sorted.toReversed()) await put(sk);
    expect(await read('sk > :a', { ':a': '1' })).toEqual(sorted.slice(1));
    expect(await read('sk BETWEEN :a AND :b', { ':a': '10', ':b': 'a' })).toEqual(['10', '2', 'a']);
    expect(await read('begins_with(sk, :a)', { ':a': 'a' })).toEqual(sorted.slice(3, 7));
    expect(await read('begins_with(sk, :a)', { ':a': 'a\uD7FF' })).toEqual(['a\uD7FF']);
    expect(await read('begins_with(sk, :a)', { ':a': 'a\u{10FFFF}' })).toEqual(['a\u{10FFFF}']);
    expect(await read('sk < :a', { ':a': 'b' }, { ScanIndexForward: false, Limit: 3 })).toEqual(
      sorted.slice(4, 7).toReversed(),
    );
    const start = { ScanIndexForward: false, ExclusiveStartKey: key('a\uFFFD') };
    expect(await read('begins_with(sk, :a)', { ':a': 'a' }, start)).toEqual(['a\uD7FF', 'a']);
  });

  test('continues in an index after a row that was removed, among equal sort keys', async () => {
    const same = { gsi1pk: { S: 'i' }, gsi1sk: { S: 's' } };
    for (let at = 0; at < 9; at += 1) await put(at, same);
    const page = (ExclusiveStartKey?: object) =>
      run('Query', {
        IndexName: 'gsi1',
        KeyConditionExpression: 'gsi1pk = :a',
        ExpressionAttributeValues: { ':a': { S: 'i' } },
        Limit: 4,
        ...(ExclusiveStartKey && { ExclusiveStartKey }),
      });
    const first = await page();
    await run('DeleteItem', { Key: key(3) });
    const second = await page(first.LastEvaluatedKey);
    expect([...first.Items, ...second.Items].map(({ sk }) => sk?.S)).toEqual(['0', '1', '2', '3', '4', '5', '6', '7']);
  });
});

describe('writes and reads', () => {
  test('batches are written and read, with what a read names', async () => {
    const items = Array.from({ length: 20 }, (_, at) => ({
      ...key(at),
      one: { M: { in: { S: 'x' }, out: { L: [{ S: 'y' }, { N: '1' }] } } },
    }));
    const Keys = items.map(({ pk, sk }) => ({ pk, sk }));
    const projection = {
      ProjectionExpression: 'sk, #one.#out[1]',
      ExpressionAttributeNames: { '#one': 'one', '#out': 'out' },
    };
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
    const { Responses } = await run('BatchGetItem', { RequestItems: { [TableName]: { Keys, ...projection } } });
    const found = (Responses as unknown as Record<string, unknown[]>)[TableName];
    expect(found).toHaveLength(15);
    expect(found).toContainEqual({ sk: { S: '7' }, one: { M: { out: { L: [{ N: '1' }] } } } });
    expect(await readItems(engine, TableName)).toHaveLength(15);
  });

  test.each([
    ['3 for the UTF-16 units of a text', 3, { S: 'é\u{1D11E}' }],
    ['2 for a set of two', 2, { SS: ['x', 'y'] }],
    ['nothing for a number', undefined, { N: '12345' }],
  ])('the function size has %s', async (_, size, one) => {
    await put(1, { one });
    const ExpressionAttributeValues = { ':size': { N: String(size ?? 0) } };
    const { Items } = await run('Scan', { FilterExpression: 'size(one) = :size', ExpressionAttributeValues });
    expect(Items).toHaveLength(size === undefined ? 0 : 1);
  });

  test('an index that includes two attributes returns no others', async () => {
    await put(1, { gsi4pk: { S: 'a' }, gsi4sk: { S: 'b' }, id: { S: 'i' }, secret: { S: 'x' } });
    const { Items } = await run('Query', { IndexName: 'gsi4', ...where('gsi4pk = :a') });
    expect(Items).toEqual([{ ...key(1), gsi4pk: { S: 'a' }, gsi4sk: { S: 'b' }, id: { S: 'i' } }]);
  });

  test('a cancelled transaction gives the reason of each entry with the present row, and writes nothing', async () => {
    await put(1, { one: { S: 'x' } });
    const reasons = callAws(engine, 'TransactWriteItems', {
      TransactItems: [
        { Put: { TableName, Item: key(2) } },
        {
          ConditionCheck: {
            TableName,
            Key: key(1),
            ConditionExpression: 'attribute_not_exists(pk)',
            ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
          },
        },
      ],
    });
    await expect(reasons).rejects.toMatchObject({
      type: 'TransactionCanceledException',
      message:
        'Transaction cancelled, please refer cancellation reasons for specific reasons [None, ConditionalCheckFailed]',
      members: {
        CancellationReasons: [
          { Code: 'None' },
          {
            Code: 'ConditionalCheckFailed',
            Message: 'The conditional request failed',
            Item: { ...key(1), one: { S: 'x' } },
          },
        ],
      },
    });
    expect(await readItems(engine, TableName)).toHaveLength(1);
  });

  test('a transaction is carried out once for a token, which is rejected with other content', async () => {
    const send = (sk: string) =>
      run('TransactWriteItems', {
        TransactItems: [
          {
            Update: {
              TableName,
              Key: key(sk),
              UpdateExpression: 'ADD version :one',
              ExpressionAttributeValues: { ':one': { N: '1' } },
            },
          },
        ],
        ClientRequestToken: 'token',
      });
    await send('1');
    await send('1');
    await expect(send('2')).rejects.toMatchObject({ type: 'IdempotentParameterMismatchException' });
    expect(await readItems(engine, TableName)).toEqual([{ ...key(1), version: { N: '1' } }]);
  });
});

describe('a stream', () => {
  const openReader = async () => {
    const positions = new Map<string, string>();
    return StreamReader.open(engine, TableName, {
      get: (shard) => positions.get(shard),
      set: (shard, sequence) => positions.set(shard, sequence),
    });
  };

  test('has a record with both images for each change, none for a write that changes nothing, and none from before a reset', async () => {
    const reader = await openReader();
    const write = async (...ones: string[]): Promise<void> => {
      for (const one of ones) await put(1, { one: { S: one } });
    };
    await write('x', 'x', 'y');
    await run('DeleteItem', { Key: key(1) });
    const { shard, records } = await reader.next(10);
    expect(
      records.map(({ eventName, dynamodb }) => [eventName, dynamodb.OldImage?.one?.S, dynamodb.NewImage?.one?.S]),
    ).toEqual([
      ['INSERT', undefined, 'x'],
      ['MODIFY', 'x', 'y'],
      ['REMOVE', 'y', undefined],
    ]);
    expect(records.map(({ dynamodb }) => dynamodb.Keys)).toEqual([key(1), key(1), key(1)]);
    reader.pass(shard, records.at(-1)?.dynamodb.SequenceNumber ?? '');
    await write('before the reset');
    local.clear();
    await write('after the reset');
    const later = await (await openReader()).next(10);
    expect(later.records.map(({ dynamodb }) => dynamodb.NewImage?.one?.S)).toEqual(['after the reset']);
    expect((await reader.next(10)).records).toEqual(later.records);
  });

  test('says of a row that expired that DynamoDB removed it', async () => {
    await put('early', { expiresAt: { N: '1000' } });
    await put('late', { expiresAt: { N: '2000.5' } });
    await put('never', { expiresAt: { S: '1' } });
    const reader = await openReader();
    await reader.skipToEnd();
    expect([
      engine.expire?.(TableName, 999),
      engine.expire?.(TableName, 2_000),
      engine.expire?.(TableName, 9e9),
    ]).toEqual([0, 2, 0]);
    const { records } = await reader.next(10);
    const service = { type: 'Service', principalId: 'dynamodb.amazonaws.com' };
    expect(records).toEqual(
      ['early', 'late'].map((sk) =>
        expect.objectContaining({
          eventName: 'REMOVE',
          userIdentity: service,
          dynamodb: expect.objectContaining({ Keys: key(sk) }),
        }),
      ),
    );
    expect(await readItems(engine, TableName)).toHaveLength(1);
  });
});

describe('a file', () => {
  test('has rows, indexes, expiry and the place in the stream at the next start', async () => {
    const folder = newFolder();
    await open(folder);
    await put(1, { gsi1pk: { S: 'i' }, gsi1sk: { S: 's' }, expiresAt: { N: '5' } });
    const positions = new Map<string, string>();
    const readNext = async () => {
      const reader = await StreamReader.open(engine, TableName, {
        get: (shard) => positions.get(shard),
        set: (shard, sequence) => positions.set(shard, sequence),
      });
      const { shard, records } = await reader.next(10);
      reader.pass(shard, records.at(-1)?.dynamodb.SequenceNumber ?? '');
      return records.map(({ eventName, dynamodb }) => [eventName, dynamodb.Keys?.sk?.S]);
    };
    expect(await readNext()).toEqual([['INSERT', '1']]);
    await put(2);
    await engine.stop();
    await open(folder);
    expect(await readNext()).toEqual([['INSERT', '2']]);
    const { Items } = await run('Query', { IndexName: 'gsi1', ...where('gsi1pk = :a', { ':a': { S: 'i' } }) });
    expect(Items).toHaveLength(1);
    expect(engine.expire?.(TableName, 5)).toBe(1);
    expect(await readNext()).toEqual([['REMOVE', '1']]);
  });

  test('returns the disk space of a large table at a reset', async () => {
    const folder = newFolder();
    await open(folder);
    const sum = (): number => readdirSync(folder).reduce((bytes, name) => bytes + statSync(join(folder, name)).size, 0);
    for (let at = 0; at < 100; at += 1) await put(at, { big: text(400_000) });
    const before = sum();
    local.clear();
    expect(before).toBeGreaterThan(60_000_000);
    expect(sum()).toBeLessThan(before / 100);
    expect(await readItems(engine, TableName)).toEqual([]);
  });

  test('of a table with other indexes is not used, and the developer gets to know what to do', async () => {
    if (table === undefined) throw new Error('The topology has no table with a stream');
    const other = { ...table, indexes: [...table.indexes, { name: 'more', partitionKey: 'mpk', sortKey: 'msk' }] };
    await expect(makeTable(engine, TableName, other, true)).rejects.toThrow('Remove the data folder');
  });
});

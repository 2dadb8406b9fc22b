import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { callAws } from '../../lib/local/aws-call.ts';
import { AwsError } from '../../lib/local/aws-json.ts';
import type { LocalTables } from '../../lib/local/dynamodb/engine.ts';
import type { TableEngine } from '../../lib/local/table/engine.ts';
import { openEngine } from '../../lib/local/table/store.ts';
import { StreamReader } from '../../lib/local/table/stream-reader.ts';
import { makeTable, readItems, scan, writeBatches } from '../../lib/local/table/tables.ts';
import { tables } from '../../lib/topology/resources.ts';
import { newFolder } from './trial/start.ts';

const TableName = 'tested';
const [table] = tables.filter(({ stream }) => stream);
let local: LocalTables;
let engine: TableEngine;

async function open(folder?: string): Promise<void> {
  local = openEngine(folder);
  engine = local.engine();
  if (table !== undefined) await makeTable(engine, TableName, table, true);
}

beforeEach(() => open());
afterEach(() => engine.stop());

type Body = Record<string, never> & {
  Items: Record<string, Record<string, string>>[];
  LastEvaluatedKey?: object;
  ConsumedCapacity: object;
};

const run = (operation: string, input: object): Promise<Body> =>
  callAws<Body>(engine, operation, { TableName, ...input });
const key = (sk: string | number, pk = 'a') => ({ pk: { S: pk }, sk: { S: String(sk) } });
const put = (sk: string | number, more: object = {}): Promise<Body> => run('PutItem', { Item: { ...key(sk), ...more } });
const text = (bytes: number) => ({ S: 'x'.repeat(bytes) });

/** The error of a call. */
async function reject(operation: string, input: object): Promise<{ type: string; message: string }> {
  try {
    await run(operation, input);
  } catch (error) {
    if (error instanceof AwsError) return { type: error.type, message: error.message };
    throw error;
  }
  throw new Error(`${operation} was not rejected`);
}

const invalid = (message: string) => ({ type: 'ValidationException', message: expect.stringContaining(message) });

/** A query of the partition `a`, page by page: the number of items of each page. */
async function countPages(input: object): Promise<number[]> {
  const counts: number[] = [];
  let ExclusiveStartKey: object | undefined;
  do {
    const page = await run('Query', {
      KeyConditionExpression: 'pk = :pk',
      ...input,
      ExpressionAttributeValues: { ':pk': { S: 'a' } },
      ...(ExclusiveStartKey && { ExclusiveStartKey }),
    });
    counts.push(page.Items.length);
    ExclusiveStartKey = page.LastEvaluatedKey;
  } while (ExclusiveStartKey !== undefined);
  return counts;
}

/** A value within a number of maps. */
const nest = (maps: number): object => (maps === 0 ? { S: 'leaf' } : { M: { n: nest(maps - 1) } });

/** A condition with a number of operators: comparisons, an `OR` between two of them, and a `NOT` if the number is even. */
function conditionWith(operators: number): object {
  const comparisons = Array.from({ length: Math.ceil(operators / 2) }, () => 'a=:v').join(' OR ');
  return {
    ConditionExpression: operators % 2 === 0 ? `NOT (${comparisons})` : comparisons,
    ExpressionAttributeValues: { ':v': { S: 'x' } },
  };
}

// The numbers are those of https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html.
describe('the limits of DynamoDB', () => {
  test('an item has at most 400 KB, with the names of its attributes', async () => {
    // Names and values of the key: 'pk' and 'a', 'sk' and '1'; the name 'big'.
    const rest = 3 + 3 + 3;
    await put(1, { big: text(409_600 - rest) });
    expect(await reject('PutItem', { Item: { ...key(1), big: text(409_600 - rest + 1) } })).toEqual(
      invalid('Item size has exceeded the maximum allowed size'),
    );
    expect(
      await reject('UpdateItem', {
        Key: key(1),
        UpdateExpression: 'SET b = :b',
        ExpressionAttributeValues: { ':b': text(1) },
      }),
    ).toEqual(invalid('Item size to update has exceeded the maximum allowed size'));
  });

  test.each([
    ['partition key', 2_048, (bytes: number) => ({ pk: text(bytes), sk: { S: '1' } })],
    ['sort key', 1_024, (bytes: number) => ({ pk: { S: 'a' }, sk: text(bytes) })],
    ['partition key of an index', 2_048, (bytes: number) => ({ ...key(1), gsi1pk: text(bytes), gsi1sk: { S: 'x' } })],
    ['sort key of an index', 1_024, (bytes: number) => ({ ...key(1), gsi1pk: { S: 'x' }, gsi1sk: text(bytes) })],
  ])('a %s has 1 to %i bytes', async (_, bytes, item) => {
    await run('PutItem', { Item: item(1) });
    await run('PutItem', { Item: item(bytes) });
    expect(await reject('PutItem', { Item: item(bytes + 1) })).toEqual(invalid(`${bytes} bytes`));
    expect(await reject('PutItem', { Item: item(0) })).toEqual(invalid('cannot contain an empty string value'));
  });

  test('bytes are counted in UTF-8', async () => {
    await put('é'.repeat(512));
    expect(await reject('PutItem', { Item: key('é'.repeat(513)) })).toEqual(invalid('1024 bytes'));
  });

  test('a page of a query ends at 1 MB, before its filter, and continues after the key that it names', async () => {
    // 105 items of 10,000 bytes are beyond 1,048,576 bytes.
    for (let at = 0; at < 150; at += 1) {
      const sk = String(at).padStart(3, '0');
      await put(sk, { big: text(10_000 - 3 - 5 - 3), gsi1pk: { S: 'a' }, gsi1sk: { S: sk } });
    }
    expect(await countPages({})).toEqual([105, 45]);
    expect(await countPages({ ScanIndexForward: false, Limit: 1_000 })).toEqual([105, 45]);
    expect(await countPages({ FilterExpression: 'attribute_not_exists(big)' })).toEqual([0, 0]);
    const ofIndex = await countPages({ IndexName: 'gsi1', KeyConditionExpression: 'gsi1pk = :pk' });
    expect([ofIndex.length, ofIndex[0], ofIndex[1]]).toEqual([2, 105, 45]);
    const scanned: number[] = [];
    for await (const page of scan(engine, TableName)) scanned.push(page.length);
    expect(scanned).toEqual([105, 45]);
  });

  test('a page that has as many items as its limit names the last one, even if none follows', async () => {
    await put(1);
    await put(2);
    expect(await countPages({ Limit: 2 })).toEqual([2, 0]);
    expect(await countPages({ Limit: 3 })).toEqual([2]);
  });

  test.each([
    ['ConditionExpression', 'PutItem', { Item: key(1) }],
    ['ConditionExpression', 'DeleteItem', { Key: key(1) }],
    ['UpdateExpression', 'UpdateItem', { Key: key(1) }],
    ['ProjectionExpression', 'GetItem', { Key: key(1) }],
    ['KeyConditionExpression', 'Query', {}],
    ['FilterExpression', 'Scan', {}],
  ])('a %s of %s has at most 4 KB', async (kind, operation, input) => {
    const texts: Record<string, string> = {
      UpdateExpression: 'REMOVE a',
      ProjectionExpression: 'a',
      KeyConditionExpression: 'pk = :pk',
    };
    const expression = texts[kind] ?? 'attribute_not_exists(a)';
    const values = kind === 'KeyConditionExpression' ? { ExpressionAttributeValues: { ':pk': { S: 'a' } } } : {};
    const send = (bytes: number) => ({ ...input, ...values, [kind]: expression.padEnd(bytes) });
    await run(operation, send(4_096));
    expect(await reject(operation, send(4_097))).toEqual(
      invalid(`Invalid ${kind}: Expression size has exceeded the maximum allowed size; expression size: 4097`),
    );
  });

  test('a condition has at most 300 operators and functions', async () => {
    await run('PutItem', { Item: key(1), ...conditionWith(300) });
    expect(await reject('PutItem', { Item: key(1), ...conditionWith(301) })).toEqual(
      invalid('Invalid ConditionExpression: The expression contains too many operators; operator count: 301'),
    );
  });

  test('an update has at most 300 operators and functions', async () => {
    const values = { ':v': { N: '1' } };
    // A number in a list: each `+` is an operator, and each element another place.
    const update = (operators: number) =>
      `SET ${Array.from({ length: operators }, (_, at) => `l[${at}]=:v+:v`).join(',')}`;
    await put(1, { l: { L: [] } });
    const send = (operators: number) => ({
      Key: key(1),
      UpdateExpression: update(operators),
      ExpressionAttributeValues: values,
    });
    expect(Buffer.byteLength(update(300))).toBeLessThan(4_096);
    await run('UpdateItem', send(300));
    expect(await reject('UpdateItem', send(301))).toEqual(
      invalid('Invalid UpdateExpression: The expression contains too many operators; operator count: 301'),
    );
  });

  test('IN has at most 100 operands', async () => {
    const send = (count: number) => {
      const names = Array.from({ length: count }, (_, at) => `:v${at}`);
      return {
        FilterExpression: `a IN (${names.join(', ')})`,
        ExpressionAttributeValues: Object.fromEntries(names.map((name) => [name, { S: name }])),
      };
    };
    await run('Scan', send(100));
    expect(await reject('Scan', send(101))).toEqual(
      invalid('Invalid FilterExpression: The IN operator is provided with too many operands; number of operands: 101'),
    );
  });

  test('a placeholder has at most 255 bytes, and what all of them stand for 2 MB', async () => {
    const named = (name: string) => ({
      FilterExpression: `attribute_exists(${name})`,
      ExpressionAttributeNames: { [name]: 'a' },
    });
    await run('Scan', named(`#${'n'.repeat(254)}`));
    expect(await reject('Scan', named(`#${'n'.repeat(255)}`))).toEqual(invalid('255 bytes'));
    const sized = (bytes: number) => ({
      FilterExpression: 'a = :v OR a = :w',
      ExpressionAttributeValues: { ':v': text(1_048_576), ':w': text(bytes - 1_048_576) },
    });
    await run('Scan', sized(2_097_152));
    expect(await reject('Scan', sized(2_097_153))).toEqual(invalid('2097152 bytes'));
  });

  test('an attribute has at most 32 levels', async () => {
    await put(1, { deep: nest(31) });
    expect(await reject('PutItem', { Item: { ...key(1), deep: nest(32) } })).toEqual(invalid('Nesting Levels'));
    const compare = (maps: number) => ({
      FilterExpression: 'deep = :deep',
      ExpressionAttributeValues: { ':deep': nest(maps) },
    });
    await run('Scan', compare(31));
    expect(await reject('Scan', compare(32))).toEqual(invalid('Nesting Levels'));
  });

  test.each([
    ['38 digits', '9'.repeat(38), '9'.repeat(39)],
    ['38 digits after the point', `0.${'1'.repeat(38)}`, `0.${'1'.repeat(39)}`],
    ['9.99e125', '9.99e125', '1e126'],
    ['1e-130', '1e-130', '1e-131'],
  ])('a number has up to %s', async (_, largest, beyond) => {
    await put(1, { n: { N: largest } });
    expect(await reject('PutItem', { Item: { ...key(1), n: { N: beyond } } })).toMatchObject({
      type: 'ValidationException',
    });
  });

  test('a transaction has at most 100 items', async () => {
    const entries = (count: number) => ({
      TransactItems: Array.from({ length: count }, (_, at) => ({ Put: { TableName, Item: key(at) } })),
    });
    await run('TransactWriteItems', entries(100));
    expect(await reject('TransactWriteItems', entries(101))).toEqual(invalid('less than or equal to 100'));
    expect(await reject('TransactWriteItems', entries(0))).toEqual(invalid('greater than or equal to 1'));
    const reads = (count: number) => ({
      TransactItems: Array.from({ length: count }, (_, at) => ({ Get: { TableName, Key: key(at) } })),
    });
    expect((await run('TransactGetItems', reads(100))).Responses).toHaveLength(100);
    expect(await reject('TransactGetItems', reads(101))).toEqual(invalid('less than or equal to 100'));
  });

  test('the items of a transaction have at most 4 MB, and none is written beyond', async () => {
    // Eleven items of 381,300 bytes are 4,194,300 bytes: 4 bytes are left of 4 MB.
    const entries = (more: number) => ({
      TransactItems: Array.from({ length: 11 }, (_, at) => ({
        Put: { TableName, Item: { ...key(String(at).padStart(2, '0')), big: text(381_300 - 10 + (at === 0 ? more : 0)) } },
      })),
    });
    expect(await reject('TransactWriteItems', entries(5))).toEqual(invalid('4 MB'));
    expect(await readItems(engine, TableName)).toEqual([]);
    await run('TransactWriteItems', entries(4));
    expect(await readItems(engine, TableName)).toHaveLength(11);
  });

  test('a batch writes at most 25 items', async () => {
    const batch = (count: number) => ({
      RequestItems: {
        [TableName]: Array.from({ length: count }, (_, at) => ({ PutRequest: { Item: key(at) } })),
      },
    });
    await run('BatchWriteItem', batch(25));
    expect(await reject('BatchWriteItem', batch(26))).toEqual(invalid('Too many items requested'));
  });

  test('a batch reads at most 100 items, and leaves the keys of those beyond 16 MB', async () => {
    const wanted = (count: number) => ({
      RequestItems: { [TableName]: { Keys: Array.from({ length: count }, (_, at) => key(at)) } },
    });
    await run('BatchGetItem', wanted(100));
    expect(await reject('BatchGetItem', wanted(101))).toEqual(invalid('Too many items requested'));
    // 41 items of 409,000 bytes are below 16,777,216 bytes, and 42 are beyond.
    for (let at = 0; at < 50; at += 1) await put(at, { big: text(408_990) });
    const { Responses, UnprocessedKeys } = await run('BatchGetItem', wanted(50));
    expect((Responses as unknown as Record<string, unknown[]>)[TableName]).toHaveLength(41);
    expect((UnprocessedKeys as unknown as Record<string, { Keys: object[] }>)[TableName]?.Keys).toHaveLength(9);
  });

  test('a token of a transaction has at most 36 characters', async () => {
    const send = (length: number) => ({
      TransactItems: [{ Put: { TableName, Item: key(1) } }],
      ClientRequestToken: 't'.repeat(length),
    });
    await run('TransactWriteItems', send(36));
    expect(await reject('TransactWriteItems', send(37))).toEqual(invalid('less than or equal to 36'));
  });
});

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

function where(KeyConditionExpression: string, more: object = {}): object {
  return { KeyConditionExpression, ExpressionAttributeValues: { ':a': { S: 'a' }, ...more } };
}

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

describe('consumed capacity', () => {
  // Sizes are chosen by the number of units of 1 KB (writes) and 4 KB (reads).
  const indexed = { gsi1pk: { S: 'i' }, gsi1sk: { S: 's' }, gsi4pk: { S: 'o' }, gsi4sk: { S: 's' } };
  const wanted = { ReturnConsumedCapacity: 'INDEXES' };
  const units = (table_: number, indexes: Record<string, number> = {}) => ({
    TableName,
    CapacityUnits: Object.values(indexes).reduce((sum, each) => sum + each, table_),
    Table: { CapacityUnits: table_ },
    ...(Object.keys(indexes).length > 0 && {
      GlobalSecondaryIndexes: Object.fromEntries(
        Object.entries(indexes).map(([name, CapacityUnits]) => [name, { CapacityUnits }]),
      ),
    }),
  });
  const consumed = async (operation: string, input: object): Promise<object> =>
    (await run(operation, { ...input, ...wanted })).ConsumedCapacity;

  test('of a write is one unit a KB, in the table and in each index that changes', async () => {
    const item = { ...key(1), ...indexed, big: text(2_500) };
    expect(await consumed('PutItem', { Item: item })).toEqual(units(3, { gsi1: 3, gsi4: 1 }));
    // The index gsi4 does not have the attribute.
    const update = { Key: key(1), UpdateExpression: 'SET big = :b', ExpressionAttributeValues: { ':b': text(10) } };
    expect(await consumed('UpdateItem', update)).toEqual(units(3, { gsi1: 3 }));
    expect(await consumed('UpdateItem', update)).toEqual(units(1));
    const move = { Key: key(1), UpdateExpression: 'SET gsi1sk = :b', ExpressionAttributeValues: { ':b': { S: 't' } } };
    expect(await consumed('UpdateItem', move)).toEqual(units(1, { gsi1: 2 }));
    expect(await consumed('DeleteItem', { Key: key(1) })).toEqual(units(1, { gsi1: 1, gsi4: 1 }));
    expect(await consumed('DeleteItem', { Key: key(1) })).toEqual(units(1));
  });

  test('of a transaction is twice that of its writes', async () => {
    await put(2);
    const TransactItems = [
      { Put: { TableName, Item: { ...key(1), ...indexed, big: text(1_500) } } },
      { ConditionCheck: { TableName, Key: key(2), ConditionExpression: 'attribute_exists(pk)' } },
    ];
    expect(await consumed('TransactWriteItems', { TransactItems })).toEqual([units(6, { gsi1: 4, gsi4: 2 })]);
    const reads = [{ Get: { TableName, Key: key(1) } }, { Get: { TableName, Key: key(3) } }];
    expect(await consumed('TransactGetItems', { TransactItems: reads })).toEqual([units(4)]);
  });

  test('of a read is half a unit for 4 KB, and twice that if it is consistent', async () => {
    await put(1, { ...indexed, big: text(5_000) });
    await put(2, { ...indexed, big: text(5_000) });
    expect(await consumed('GetItem', { Key: key(1) })).toEqual(units(1));
    expect(await consumed('GetItem', { Key: key(1), ConsistentRead: true })).toEqual(units(2));
    expect(await consumed('GetItem', { Key: key(3) })).toEqual(units(0.5));
    // A page is rounded as a whole: 10 KB, not twice 5 KB.
    expect(await consumed('Query', where('pk = :a'))).toEqual(units(1.5));
    expect(await consumed('Query', { IndexName: 'gsi1', ...where('gsi1pk = :a', { ':a': { S: 'i' } }) })).toEqual(
      units(0, { gsi1: 1.5 }),
    );
    const RequestItems = { [TableName]: { Keys: [key(1), key(2), key(3)] } };
    expect(await consumed('BatchGetItem', { RequestItems })).toEqual([units(2.5)]);
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
    expect([engine.expire?.(TableName, 999), engine.expire?.(TableName, 2_000), engine.expire?.(TableName, 9e9)]).toEqual([
      0, 2, 0,
    ]);
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
    const pages = (): number => {
      const database = new DatabaseSync(join(folder, 'table.sqlite'), { readOnly: true });
      const count = Number(Object.values(database.prepare('PRAGMA page_count').get() ?? {})[0]);
      database.close();
      return count;
    };
    for (let at = 0; at < 100; at += 1) await put(at, { big: text(400_000) });
    const before = pages();
    local.clear();
    expect(before).toBeGreaterThan(15_000);
    expect(pages()).toBeLessThan(before / 100);
    expect(await readItems(engine, TableName)).toEqual([]);
  });

  test('of a table with other indexes is not used, and the developer gets to know what to do', async () => {
    if (table === undefined) throw new Error('The topology has no table with a stream');
    const other = { ...table, indexes: [...table.indexes, { name: 'more', partitionKey: 'mpk', sortKey: 'msk' }] };
    await expect(makeTable(engine, TableName, other, true)).rejects.toThrow('Remove the data folder');
  });
});

import { describe, expect, test } from '@jest/globals';

import { readItems, scan } from '../../lib/local/table/tables.ts';
import { engine, key, put, reject, run, TableName, text } from './tested-table.ts';

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

  test('a placeholder has at most 255 bytes, and what all of them represent 2 MB', async () => {
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
        Put: {
          TableName,
          Item: { ...key(String(at).padStart(2, '0')), big: text(381_300 - 10 + (at === 0 ? more : 0)) },
        },
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

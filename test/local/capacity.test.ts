import { describe, expect, test } from '@jest/globals';

import { key, put, run, TableName, text, where } from './tested-table.ts';

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

  test('is counted by partition key of the table and of each index, condition checks included', async () => {
    await put(2, indexed);
    const TransactItems = [
      { Put: { TableName, Item: { ...key(2), ...indexed, gsi1pk: { S: 'j' } } } },
      { ConditionCheck: { TableName, Key: key(3), ConditionExpression: 'attribute_not_exists(pk)' } },
    ];
    const { ConsumedCapacity } = await run('TransactWriteItems', { TransactItems, ReturnConsumedCapacity: 'KEYS' });
    const [{ Keys }] = ConsumedCapacity as unknown as [{ Keys: unknown }];
    expect(Keys).toEqual([
      { key: key(2).pk.S, units: 2 },
      { index: 'gsi1', key: 'i', units: 2 },
      { index: 'gsi1', key: 'j', units: 2 },
      { key: key(3).pk.S, units: 2 },
    ]);
    const where = { KeyConditionExpression: 'gsi1pk = :a', ExpressionAttributeValues: { ':a': { S: 'j' } } };
    const read = await run('Query', { TableName, IndexName: 'gsi1', ...where, ReturnConsumedCapacity: 'KEYS' });
    expect(read.ConsumedCapacity).toMatchObject({ Keys: [{ index: 'gsi1', key: 'j', units: 0.5 }] });
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

import fc from 'fast-check';

/** The table that the calls name; it has the keys and the indexes of the table of records. */
export const TableName = 'compared';

const small = <T>(...values: T[]) => fc.constantFrom(...values);
const partition = small('a', 'b');
const sort = small('1', '10', '2', '\u{1F600}', '\uFFFF', 'z#');
const key = fc.record({ pk: partition, sk: sort }).map(({ pk, sk }) => ({ pk: { S: pk }, sk: { S: sk } }));
const scalar = fc.oneof(
  small('', 'x', 'xy', '\u{1F600}').map((S) => ({ S })),
  small('0', '7', '-1.50', '1e3', '12345678901234567890').map((N) => ({ N })),
  small(true, false).map((BOOL) => ({ BOOL })),
  fc.constant({ NULL: true }),
);
const value = fc.oneof(
  scalar,
  fc.uniqueArray(small('x', 'y', 'z'), { minLength: 1 }).map((SS) => ({ SS })),
  fc.array(scalar, { maxLength: 2 }).map((L) => ({ L })),
  fc.dictionary(small('in', 'out'), scalar).map((M) => ({ M })),
);
const index = fc
  .option(fc.record({ gsi1pk: partition, gsi1sk: sort }), { nil: undefined })
  .map((keys) => (keys === undefined ? {} : { gsi1pk: { S: keys.gsi1pk }, gsi1sk: { S: keys.gsi1sk } }));
const item = fc
  .tuple(key, index, fc.dictionary(small('one', 'two', 'version'), value))
  .map(([keys, indexed, rest]) => ({ ...rest, ...keys, ...indexed }));

const NAMES = { '#one': 'one', '#two': 'two', '#version': 'version' } as const;
const conditions = [
  'attribute_not_exists(pk)',
  'attribute_exists(#one)',
  '#one = :a OR NOT #two <> :b',
  '(#one < :number AND #two >= :text) OR attribute_type(#one, :type)',
  'begins_with(#one, :text) OR contains(#two, :text)',
  '#one IN (:a, :b) AND size(#two) > :number',
  '#version BETWEEN :number AND :more',
  '#one < :more',
  '#one <= :more',
  '#one > :more OR #two >= :more',
  'size(#one) < size(#two)',
  '#one.#two = :a OR #one[0] = :b',
];
const updates = [
  'SET #one = :a',
  'SET #one = :a, #two = if_not_exists(#two, :b) REMOVE #version',
  'SET #version = #version + :number',
  'SET #version = if_not_exists(#version, :number) - :more',
  'ADD #version :number',
  'ADD #one :set DELETE #two :set',
  'SET #one = list_append(#one, :list)',
  'SET #one[0] = :a, #two.#one = :b',
  'SET #one = :list REMOVE #version',
];
/** Updates that no item can have, and that are tried without a condition: the engines check in different orders. */
const impossible = [
  'SET #one = :a, #one.#two = :b',
  'SET pk = :a',
  'SET #one = :a SET #two = :b',
  'SET name = :a',
  'SET #one',
];

/** The placeholders that an expression uses. */
const placeholders = fc.record({ a: value, b: value }).map(({ a, b }) => (...expressions: (string | undefined)[]) => {
  const text = expressions.join(' ');
  const all: Record<string, object> = {
    ':a': a,
    ':b': b,
    ':type': { S: 'S' },
    ':text': { S: 'x' },
    ':number': { N: '1' },
    ':more': { N: '7' },
    ':set': { SS: ['x', 'w'] },
    ':list': { L: [{ S: 'x' }] },
  };
  const pick = <T>(from: Readonly<Record<string, T>>): Record<string, T> | undefined => {
    const used = Object.entries(from).filter(([name]) => new RegExp(`${name}\\b`).test(text));
    return used.length === 0 ? undefined : Object.fromEntries(used);
  };
  const [names, values] = [pick(NAMES), pick(all)];
  return {
    ...(names && { ExpressionAttributeNames: names }),
    ...(values && { ExpressionAttributeValues: values }),
  };
});

const condition = fc.option(small(...conditions), { nil: undefined });
const put = fc.tuple(item, condition, placeholders).map(([Item, ConditionExpression, pick]) => ({
  TableName,
  Item,
  ...(ConditionExpression && { ConditionExpression, ...pick(ConditionExpression) }),
}));
const removal = fc.tuple(key, condition, placeholders).map(([Key, ConditionExpression, pick]) => ({
  TableName,
  Key,
  ...(ConditionExpression && { ConditionExpression, ...pick(ConditionExpression) }),
}));
const update = fc
  .tuple(key, small(...updates), condition, placeholders)
  .map(([Key, UpdateExpression, ConditionExpression, pick]) => ({
    TableName,
    Key,
    UpdateExpression,
    ...(ConditionExpression && { ConditionExpression }),
    ...pick(UpdateExpression, ConditionExpression),
  }));
const wrongUpdate = fc
  .tuple(key, small(...impossible), placeholders)
  .map(([Key, UpdateExpression, pick]) => ({ TableName, Key, UpdateExpression, ...pick(UpdateExpression) }));
const returns = small('NONE', 'ALL_NEW', 'UPDATED_NEW').map((ReturnValues) => ({ ReturnValues }));
const transaction = fc
  .array(
    fc.oneof(
      put.map((Put) => ({ Put })),
      update.map((Update) => ({ Update })),
      removal.map((Delete) => ({ Delete })),
    ),
    { minLength: 1, maxLength: 4 },
  )
  .map((TransactItems) => ({ TransactItems }));
const ranges = [
  '',
  ' AND sk > :from',
  ' AND sk <= :from',
  ' AND sk BETWEEN :from AND :to',
  ' AND begins_with(sk, :from)',
];
const query = fc
  .record({
    pk: partition,
    range: small(...ranges),
    from: sort,
    to: sort,
    limit: fc.option(fc.nat(3), { nil: undefined }),
    forward: fc.boolean(),
    indexed: fc.boolean(),
    start: fc.option(sort, { nil: undefined }),
    filter: condition,
    pick: placeholders,
  })
  .map(({ pk, range, from, to, limit, forward, indexed, start, filter, pick }) => {
    const FilterExpression = filter?.includes('(pk)') === true ? undefined : filter;
    const { ExpressionAttributeNames: names, ExpressionAttributeValues: values } = pick(FilterExpression);
    return {
      TableName,
      ...(indexed && { IndexName: 'gsi1' }),
      KeyConditionExpression: `pk = :pk${range}`
        .replaceAll('pk =', indexed ? 'gsi1pk =' : 'pk =')
        .replaceAll(/\bsk\b/g, indexed ? 'gsi1sk' : 'sk'),
      ...(limit !== undefined && { Limit: limit }),
      ScanIndexForward: forward,
      // DynamoDB rejects a start outside of the range, which the engine with a file does not.
      ...(!indexed &&
        start !== undefined &&
        range === '' && { ExclusiveStartKey: { pk: { S: pk }, sk: { S: start } } }),
      ...(FilterExpression && { FilterExpression }),
      ...(names && { ExpressionAttributeNames: names }),
      ExpressionAttributeValues: {
        ':pk': { S: pk },
        ...(range.includes(':from') && { ':from': { S: from } }),
        ...(range.includes(':to') && { ':to': { S: to } }),
        ...values,
      },
    };
  });
/** A call of a table that both engines serve. */
export const calls = fc.oneof(
  { weight: 4, arbitrary: put.map((input) => ['PutItem', input] as const) },
  {
    weight: 4,
    arbitrary: fc.tuple(update, returns).map(([input, more]) => ['UpdateItem', { ...input, ...more }] as const),
  },
  { weight: 1, arbitrary: wrongUpdate.map((input) => ['UpdateItem', input] as const) },
  { weight: 1, arbitrary: removal.map((input) => ['DeleteItem', { ...input, ReturnValues: 'ALL_OLD' }] as const) },
  { weight: 2, arbitrary: transaction.map((input) => ['TransactWriteItems', input] as const) },
  { weight: 2, arbitrary: key.map((Key) => ['GetItem', { TableName, Key, ConsistentRead: true }] as const) },
  { weight: 4, arbitrary: query.map((input) => ['Query', input] as const) },
);

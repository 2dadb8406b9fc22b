import type { Table } from '../../topology/model.ts';
import { type Engine, callAws } from '../aws-call.ts';
import { AwsError } from '../aws-json.ts';
import { StartError } from '../listen.ts';

/** The local name of a table; the prefix separates it from others in a DynamoDB of the developer. */
export const tableNameOf = ({ name }: Pick<Table, 'name'>): string => `gatehouse-local-${name}`;

/**
 * Creates a table as the topology describes it, unless it exists.
 * @param stream whether its changes are to be read
 * @throws StartError for an existing table with other keys or indexes
 */
export async function makeTable(engine: Engine, name: string, table: Table, stream: boolean): Promise<void> {
  const keys = [table, ...table.indexes].flatMap(({ partitionKey, sortKey }) => [partitionKey, sortKey]);
  const schema = (of: { partitionKey: string; sortKey: string }) => [
    { AttributeName: of.partitionKey, KeyType: 'HASH' },
    { AttributeName: of.sortKey, KeyType: 'RANGE' },
  ];
  const indexes = table.indexes.map((index) => ({
    IndexName: index.name,
    KeySchema: schema(index),
    Projection: index.attributes
      ? { ProjectionType: 'INCLUDE', NonKeyAttributes: index.attributes }
      : { ProjectionType: 'ALL' },
  }));
  const wanted = {
    KeySchema: schema(table),
    ...(indexes.length > 0 && { GlobalSecondaryIndexes: indexes }),
  };
  try {
    await callAws(engine, 'CreateTable', {
      TableName: name,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [...new Set(keys)].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
      ...wanted,
      ...(stream && { StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' } }),
    });
  } catch (error) {
    if (!(error instanceof AwsError) || error.type !== 'ResourceInUseException') throw error;
    await checkSchema(engine, name, wanted);
  }
  if (engine.run === undefined) return;
  const TimeToLiveSpecification = { AttributeName: table.ttlAttribute, Enabled: true };
  await callAws(engine, 'UpdateTimeToLive', { TableName: name, TimeToLiveSpecification });
}

/** Checks that a table that exists has the keys and indexes of the topology. @throws StartError */
async function checkSchema(engine: Engine, name: string, wanted: object): Promise<void> {
  const { Table } = await callAws<{ Table: object }>(engine, 'DescribeTable', { TableName: name });
  if (isSubset(wanted, Table)) return;
  throw new StartError(
    `The table ${name} has other keys or indexes than this version, which wrote none of its rows. Remove the data folder, ` +
      'move it away, or start with another one (--data FOLDER).',
  );
}

/** Reports whether a value has all members of another, at any depth. Lists have the same length. */
function isSubset(part: unknown, whole: unknown): boolean {
  if (typeof part !== 'object' || part === null) return part === whole;
  if (typeof whole !== 'object' || whole === null) return false;
  if (Array.isArray(part) && part.length !== (whole as unknown[]).length) return false;
  return Object.entries(part).every(([name, value]) => isSubset(value, (whole as Record<string, unknown>)[name]));
}

/** Removes a table. A missing table is not an error. */
export async function dropTable(engine: Engine, name: string): Promise<void> {
  try {
    await callAws(engine, 'DeleteTable', { TableName: name });
  } catch (error) {
    if (!(error instanceof AwsError) || error.type !== 'ResourceNotFoundException') throw error;
  }
}

/** An item in DynamoDB's own JSON. */
export type Item = Record<string, Record<string, unknown>>;

/** Maximum writes of a BatchWriteItem. */
const BATCH = 25;

/** Writes requests of BatchWriteItem to a table. */
export async function writeBatches(engine: Engine, name: string, requests: readonly object[]): Promise<void> {
  for (let at = 0; at < requests.length; at += BATCH) {
    await callAws(engine, 'BatchWriteItem', { RequestItems: { [name]: requests.slice(at, at + BATCH) } });
  }
}

/** Writes items into a table. */
export const putItems = (engine: Engine, name: string, items: readonly Item[]): Promise<void> =>
  writeBatches(
    engine,
    name,
    items.map((Item) => ({ PutRequest: { Item } })),
  );

/** Reads all items of a small table. */
export async function readItems(engine: Engine, name: string): Promise<Item[]> {
  const items: Item[] = [];
  for await (const page of scan(engine, name)) items.push(...page);
  return items;
}

/** Reads all items of a table that match a filter, page by page, for work that DynamoDB itself does in a deployment. */
export async function* scan(engine: Engine, name: string, filter: object = {}): AsyncGenerator<Item[]> {
  let start: Item | undefined;
  do {
    const page: { Items: Item[]; LastEvaluatedKey?: Item } = await callAws(engine, 'Scan', {
      TableName: name,
      Limit: 500,
      ...filter,
      ...(start && { ExclusiveStartKey: start }),
    });
    if (page.Items.length > 0) yield page.Items;
    start = page.LastEvaluatedKey;
  } while (start !== undefined);
}

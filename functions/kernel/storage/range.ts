import { QueryCommand } from '@aws-sdk/lib-dynamodb';

import { settings } from '../settings.ts';
import { tableClient } from './client.ts';

/** A part of one partition of the table or of an index, between two sort keys that both belong to it. */
export interface RangeKey {
  partition: string;
  /** The index; the table itself if absent. */
  index?: 'gsi1';
  from: string;
  to: string;
  scan: 'asc' | 'desc';
}

/** A DynamoDB filter for the rows of a range, which is applied after reading. */
export interface RangeFilter {
  expression: string;
  names: Record<string, string>;
  values: Record<string, unknown>;
}

/** The result of one read. */
export interface Reading<T> {
  /** The records, in the order of the scan. */
  records: readonly T[];
  /** The sort key of the last row that was read, if there are more rows; absent at the end of the range. */
  reached?: string;
}

/**
 * Reads a range by one Query: up to `limit` rows, or 1 MB without it. It is strongly consistent in the table, and lags by
 * moments in an index. It returns the rows that match the filter; all rows read cost a read unit for each 4 KB, half of it in
 * an index.
 */
export async function queryRange<T>(key: RangeKey, filter?: RangeFilter, limit?: number): Promise<Reading<T>> {
  if (key.from > key.to) return { records: [] };
  const [pk, sk] = key.index === undefined ? ['pk', 'sk'] : [`${key.index}pk`, `${key.index}sk`];
  const { Items, LastEvaluatedKey } = await tableClient().send(
    new QueryCommand({
      TableName: settings().GATEHOUSE_TABLE,
      ...(key.index === undefined ? { ConsistentRead: true } : { IndexName: key.index }),
      KeyConditionExpression: `${pk} = :pk AND ${sk} BETWEEN :from AND :to`,
      ExpressionAttributeValues: { ':pk': key.partition, ':from': key.from, ':to': key.to, ...filter?.values },
      ...(filter === undefined ? {} : { FilterExpression: filter.expression, ExpressionAttributeNames: filter.names }),
      ScanIndexForward: key.scan === 'asc',
      ...(limit === undefined ? {} : { Limit: limit }),
    }),
  );
  const records = (Items ?? []) as T[];
  return LastEvaluatedKey === undefined ? { records } : { records, reached: LastEvaluatedKey[sk] as string };
}

/** The smallest sort key after all that begin with this id, for a range that starts after it. */
export const afterId = (id: string): string => `${id} `;

/** A sort key before this id and after all smaller ones, for a range that ends before it. */
export const beforeId = (id: string): string =>
  `${id.slice(0, -1)}${String.fromCharCode(id.charCodeAt(id.length - 1) - 1)}~`;

import { QueryCommand } from '@aws-sdk/lib-dynamodb';

import { settings } from '../settings.ts';
import { tableClient } from './client.ts';

/** A part of one partition of the table, between two sort keys that both belong to it. */
export interface StretchKey {
  partition: string;
  from: string;
  to: string;
  scan: 'asc' | 'desc';
}

/** What of a stretch is wanted: a DynamoDB filter, applied after reading. */
export interface StretchFilter {
  expression: string;
  names: Record<string, string>;
  values: Record<string, unknown>;
}

/** What one reading found. */
export interface Reading<T> {
  /** In the order of the scan. */
  records: readonly T[];
  /** The sort key of the last row that was looked at, when rows after it were not; absent when the stretch ended. */
  reached?: string;
}

/**
 * One strongly consistent Query of a base-table partition: up to `limit` rows are looked at, or 1 MB without it; what
 * the filter leaves is returned. Costs what is looked at: a read unit for each 4 KB.
 */
export async function readStretch<T>(key: StretchKey, filter?: StretchFilter, limit?: number): Promise<Reading<T>> {
  if (key.from > key.to) return { records: [] };
  const { Items, LastEvaluatedKey } = await tableClient().send(
    new QueryCommand({
      TableName: settings().GATEHOUSE_TABLE,
      KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
      ExpressionAttributeValues: { ':pk': key.partition, ':from': key.from, ':to': key.to, ...filter?.values },
      ...(filter === undefined ? {} : { FilterExpression: filter.expression, ExpressionAttributeNames: filter.names }),
      ConsistentRead: true,
      ScanIndexForward: key.scan === 'asc',
      ...(limit === undefined ? {} : { Limit: limit }),
    }),
  );
  const records = (Items ?? []) as T[];
  return LastEvaluatedKey === undefined ? { records } : { records, reached: LastEvaluatedKey.sk as string };
}

/** The least sort key after every one that begins with this id, for a stretch that starts beyond it. */
export const afterId = (id: string): string => `${id} `;

/** A sort key after all ids before this one, and before it: for a stretch that ends short of it. */
export const beforeId = (id: string): string =>
  `${id.slice(0, -1)}${String.fromCharCode(id.charCodeAt(id.length - 1) - 1)}~`;

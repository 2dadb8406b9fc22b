import { GetCommand } from '@aws-sdk/lib-dynamodb';

import { clock } from '../clock.ts';
import { settings } from '../settings.ts';
import { tableClient } from './client.ts';

/** The key of a row in the table. */
export interface RowKey {
  pk: string;
  sk: string;
}

/** Reports whether a row exists and has not expired, by one strongly consistent GetItem. */
export async function rowExists({ pk, sk }: RowKey): Promise<boolean> {
  const { Item: row } = await tableClient().send(
    new GetCommand({
      TableName: settings().GATEHOUSE_TABLE,
      Key: { pk, sk },
      ConsistentRead: true,
      ProjectionExpression: 'pk, expiresAt',
    }),
  );
  return row !== undefined && Number(row.expiresAt ?? Infinity) > clock.seconds();
}

import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, type ScanCommandInput } from '@aws-sdk/lib-dynamodb';

import { awsClient } from '../../functions/kernel/aws/call.ts';
import {
  type Attributes,
  decodeAttributes,
  encodeAttributes,
} from '../../functions/kernel/storage/attribute-values.ts';
import { DYNAMODB } from '../../functions/kernel/storage/client.ts';

const scan = awsClient({ service: DYNAMODB, maxAttempts: 2 });

/** Runs work with the SDK's document client on the engine of this process's variables, independently of the service's own client. */
export async function withDocuments<T>(work: (client: DynamoDBDocumentClient) => Promise<T>): Promise<T> {
  const client = DynamoDBDocumentClient.from(new DynamoDBClient({}));
  try {
    return await work(client);
  } finally {
    client.destroy();
  }
}

/** Reads all rows of a table, or those that a filter selects, by the transport of this process's kernel: also from tables in its memory. */
export async function scanRows({
  ExpressionAttributeValues: values,
  ...input
}: ScanCommandInput): Promise<Record<string, unknown>[]> {
  const given = { ...input, ...(values && { ExpressionAttributeValues: encodeAttributes(values) }) };
  const rows: Record<string, unknown>[] = [];
  let start: Attributes | undefined;
  do {
    const page = await scan<{ Items: Attributes[]; LastEvaluatedKey?: Attributes }>('Scan', {
      ...given,
      ...(start && { ExclusiveStartKey: start }),
    });
    rows.push(...page.Items.map(decodeAttributes));
    start = page.LastEvaluatedKey;
  } while (start !== undefined);
  return rows;
}

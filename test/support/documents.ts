import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, paginateScan, type ScanCommandInput } from '@aws-sdk/lib-dynamodb';

/** Runs work with the SDK's document client on the engine of this process's variables, independently of the service's own client. */
export async function withDocuments<T>(work: (client: DynamoDBDocumentClient) => Promise<T>): Promise<T> {
  const client = DynamoDBDocumentClient.from(new DynamoDBClient({}));
  try {
    return await work(client);
  } finally {
    client.destroy();
  }
}

/** Reads all rows of a table, or those that a filter selects. */
export const scanRows = (input: ScanCommandInput): Promise<Record<string, unknown>[]> =>
  withDocuments(async (client) => {
    const rows: Record<string, unknown>[] = [];
    for await (const { Items = [] } of paginateScan({ client }, input)) rows.push(...Items);
    return rows;
  });

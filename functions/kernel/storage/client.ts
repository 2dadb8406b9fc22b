import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

import { requestHandler } from '../aws-requests.ts';

let client: DynamoDBDocumentClient | undefined;

/**
 * The one DynamoDB client of this process. Two attempts a call: the caller retries whole requests, and a throttled
 * table is not helped by more.
 */
export function tableClient(): DynamoDBDocumentClient {
  client ??= DynamoDBDocumentClient.from(new DynamoDBClient({ maxAttempts: 2, requestHandler: requestHandler() }), {
    marshallOptions: { removeUndefinedValues: true },
  });
  return client;
}

/** Closes and forgets the client, for a runtime whose table moved. */
export function closeTableClient(): void {
  client?.destroy();
  client = undefined;
}

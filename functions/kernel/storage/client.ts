import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

let client: DynamoDBDocumentClient | undefined;

/**
 * The SDK's own 50 sockets are too few where one process runs all functions: a call that waits for a free one spends its
 * connection time-out doing so.
 */
const sockets = { keepAlive: true, maxSockets: 1_000 };

/**
 * The one DynamoDB client of this process. Two attempts a call: the caller retries whole requests, and a throttled
 * table is not helped by more.
 */
export function tableClient(): DynamoDBDocumentClient {
  client ??= DynamoDBDocumentClient.from(
    new DynamoDBClient({
      maxAttempts: 2,
      requestHandler: { connectionTimeout: 1_000, requestTimeout: 5_000, httpAgent: sockets, httpsAgent: sockets },
    }),
    { marshallOptions: { removeUndefinedValues: true } },
  );
  return client;
}

/** Closes and forgets the client, for a runtime whose table moved. */
export function closeTableClient(): void {
  client?.destroy();
  client = undefined;
}

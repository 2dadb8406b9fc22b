import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

import { clientOptions, completeTable } from '../aws-requests.ts';
import { forgetWriters, guarded } from './epoch.ts';

let client: DynamoDBDocumentClient | undefined;

/**
 * The one DynamoDB client of this process. It makes at most two attempts for each call: the caller retries whole requests,
 * and more attempts do not help a throttled table. Before a write it compares the writer epoch of the environment (`epoch.ts`).
 */
export function tableClient(): DynamoDBDocumentClient {
  client ??= guarded(
    completeTable(
      DynamoDBDocumentClient.from(new DynamoDBClient({ maxAttempts: 2, ...clientOptions() }), {
        marshallOptions: { removeUndefinedValues: true },
      }),
    ),
  );
  return client;
}

/** Closes and discards the client, for a runtime whose table has moved. */
export function closeTableClient(): void {
  client?.destroy();
  client = undefined;
  forgetWriters();
}

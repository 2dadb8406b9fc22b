import { S3Client } from '@aws-sdk/client-s3';

import { endpoint } from './address.ts';

let client: S3Client | undefined;

/** The one S3 client of this process. */
export function blobClient(): S3Client {
  client ??= new S3Client({
    maxAttempts: 3,
    forcePathStyle: endpoint() !== undefined,
    requestHandler: { connectionTimeout: 1_000, requestTimeout: 60_000 },
  });
  return client;
}

/** Closes and forgets the client, for a runtime whose store moved. */
export function closeBlobClient(): void {
  client?.destroy();
  client = undefined;
}

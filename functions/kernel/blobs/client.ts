import { S3Client } from '@aws-sdk/client-s3';

import { clientOptions } from '../aws-requests.ts';
import { endpoint } from './address.ts';

let client: S3Client | undefined;

/** Time-out in ms for S3 to accept a part of 8 MiB, and to send the next chunk of an object. */
export const BLOB_WAIT_MS = 60_000;

/**
 * The one S3 client of this process. Its sockets have no idle time-out, because a reader may pause between two chunks for
 * longer than S3 may take.
 */
export function blobClient(): S3Client {
  client ??= new S3Client({
    maxAttempts: 3,
    forcePathStyle: endpoint() !== undefined,
    ...clientOptions({ requestMs: BLOB_WAIT_MS, idleMs: Infinity }),
  });
  return client;
}

/** Closes and discards the client, for a runtime whose store has moved. */
export function closeBlobClient(): void {
  client?.destroy();
  client = undefined;
}

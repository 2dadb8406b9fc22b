import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import type { Readable } from 'node:stream';

import type { BucketName } from '../area.ts';
import { settings } from '../settings.ts';
import { StorageUnavailable } from '../storage/faults.ts';
import { readBucketName } from './address.ts';
import { BLOB_WAIT_MS, blobClient } from './client.ts';

/**
 * The size of a part. S3 requires at least 5 MiB except for the last and at most 10,000 parts, so parts of 8 MiB allow
 * objects of up to 78 GiB.
 */
const PART_BYTES = 8 * 1_048_576;

/** The options of a stored object. */
export interface BlobOptions {
  contentType: string;
  /**
   * The time before which this version cannot be deleted or replaced (S3 Object Lock, compliance mode); it has no effect in
   * a stage without locks.
   */
  lockedUntil?: Date;
}

/** Stores a small object by one request. */
export async function putBlob(
  bucket: BucketName,
  key: string,
  body: string | Uint8Array,
  { contentType, lockedUntil }: BlobOptions,
): Promise<void> {
  await blobClient().send(
    new PutObjectCommand({
      Bucket: readBucketName(bucket),
      Key: key,
      Body: body,
      ContentType: contentType,
      ...(lockedUntil === undefined || settings().GATEHOUSE_OBJECT_LOCK === 'off'
        ? {}
        : { ObjectLockMode: 'COMPLIANCE', ObjectLockRetainUntilDate: lockedUntil, ChecksumAlgorithm: 'CRC32' }),
    }),
  );
}

/**
 * The bytes of an object as a stream, which keeps one chunk in memory.
 * @throws StorageUnavailable if S3 does not send the next chunk in time
 */
export async function* readBlob(bucket: BucketName, key: string): AsyncGenerator<Buffer> {
  const { Body } = await blobClient().send(new GetObjectCommand({ Bucket: readBucketName(bucket), Key: key }));
  if (Body === undefined) throw new StorageUnavailable('S3 responded without a body');
  const body = Body as Readable;
  const stalled = () => body.destroy(new StorageUnavailable('S3 stopped within an object'));
  let timer = setTimeout(stalled, BLOB_WAIT_MS);
  try {
    for await (const chunk of body as AsyncIterable<Uint8Array>) {
      clearTimeout(timer);
      yield Buffer.from(chunk);
      timer = setTimeout(stalled, BLOB_WAIT_MS);
    }
  } finally {
    clearTimeout(timer);
  }
}

/** An object that is uploaded while it is produced, with one part in memory. */
export class BlobUpload {
  readonly #bucket: string;
  readonly #key: string;
  readonly #contentType: string;
  readonly #parts: { ETag: string; PartNumber: number }[] = [];
  #uploadId: string | undefined;
  #pending: Buffer[] = [];
  #pendingBytes = 0;

  constructor(bucket: BucketName, key: string, contentType: string) {
    this.#bucket = readBucketName(bucket);
    this.#key = key;
    this.#contentType = contentType;
  }

  /** Adds bytes to the object, and uploads a part when there are enough bytes for one. */
  async write(chunk: Uint8Array): Promise<void> {
    this.#pending.push(Buffer.from(chunk));
    this.#pendingBytes += chunk.byteLength;
    if (this.#pendingBytes >= PART_BYTES) await this.#sendPart();
  }

  /** Completes the object; until then the key has no object, or the previous one. */
  async finish(): Promise<void> {
    if (this.#uploadId === undefined) {
      await blobClient().send(
        new PutObjectCommand({
          Bucket: this.#bucket,
          Key: this.#key,
          Body: this.#take(),
          ContentType: this.#contentType,
        }),
      );
      return;
    }
    if (this.#pendingBytes > 0) await this.#sendPart();
    await blobClient().send(
      new CompleteMultipartUploadCommand({ ...this.#upload(), MultipartUpload: { Parts: this.#parts } }),
    );
  }

  /** Aborts the upload and deletes its parts. The bucket's lifecycle does the same after a crash. */
  async abort(): Promise<void> {
    this.#take();
    if (this.#uploadId !== undefined) await blobClient().send(new AbortMultipartUploadCommand(this.#upload()));
  }

  async #sendPart(): Promise<void> {
    if (this.#uploadId === undefined) {
      const place = { Bucket: this.#bucket, Key: this.#key, ContentType: this.#contentType };
      this.#uploadId = (await blobClient().send(new CreateMultipartUploadCommand(place))).UploadId ?? '';
    }
    const PartNumber = this.#parts.length + 1;
    const { ETag = '' } = await blobClient().send(
      new UploadPartCommand({ ...this.#upload(), PartNumber, Body: this.#take() }),
    );
    this.#parts.push({ ETag, PartNumber });
  }

  #upload() {
    return { Bucket: this.#bucket, Key: this.#key, UploadId: this.#uploadId };
  }

  #take(): Buffer {
    const body = Buffer.concat(this.#pending);
    this.#pending = [];
    this.#pendingBytes = 0;
    return body;
  }
}

/**
 * Deletes every object below a prefix, in pages of up to 1,000.
 * @returns the number of objects
 */
export async function deleteBlobsBelow(bucket: BucketName, prefix: string): Promise<number> {
  const Bucket = readBucketName(bucket);
  let deleted = 0;
  for (;;) {
    // Each iteration reads the first page, because the objects of the previous one are deleted.
    const { Contents = [] } = await blobClient().send(new ListObjectsV2Command({ Bucket, Prefix: prefix }));
    if (Contents.length === 0) return deleted;
    const Objects = Contents.map(({ Key = '' }) => ({ Key }));
    const { Errors = [] } = await blobClient().send(
      new DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } }),
    );
    if (Errors.length > 0) throw new StorageUnavailable(`S3 left ${Errors.length} objects: ${Errors[0]?.Code}`);
    deleted += Objects.length;
  }
}

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomBytes } from 'node:crypto';

import { downloadAddress } from '../../../functions/kernel/blobs/address.ts';
import { BlobUpload, deleteBlobsBelow, putBlob, readBlob } from '../../../functions/kernel/blobs/store.ts';
import { startStores, type Stores, useStores } from '../../support/stores.ts';

let stores: Stores;

beforeAll(async () => {
  stores = await startStores();
  useStores({
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    ...stores.variables,
  });
});

afterAll(() => stores.stop());

async function readContent(key: string): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of readBlob('audit', key)) parts.push(part);
  return Buffer.concat(parts);
}

describe('an upload', () => {
  test.each([0, 1, 5_000_000, 8 * 1_048_576, 20_000_001])('of %d bytes is read back unchanged', async (bytes) => {
    const content = randomBytes(bytes);
    const upload = new BlobUpload('audit', `uploads/${bytes}`, 'application/octet-stream');
    for (let at = 0; at < bytes; at += 1_000_000) await upload.write(content.subarray(at, at + 1_000_000));
    await upload.finish();
    expect((await readContent(`uploads/${bytes}`)).equals(content)).toBe(true);
  });

  test('that was aborted leaves no object', async () => {
    const upload = new BlobUpload('audit', 'given-up', 'text/plain');
    await upload.write(randomBytes(9_000_000));
    await upload.abort();
    await expect(readContent('given-up')).rejects.toMatchObject({ name: 'NoSuchKey' });
  });
});

describe('stored objects', () => {
  test('below a prefix are deleted without affecting others', async () => {
    for (const key of ['a/1', 'a/2', 'ab/1']) await putBlob('audit', key, key, { contentType: 'text/plain' });
    expect(await deleteBlobsBelow('audit', 'a/')).toBe(2);
    expect((await readContent('ab/1')).toString()).toBe('ab/1');
    expect(await deleteBlobsBelow('audit', 'a/')).toBe(0);
  });

  test('can be downloaded from a presigned URL with the file name in it', async () => {
    await putBlob('audit', 'some folder/é.csv', 'a,b', { contentType: 'text/plain' });
    const url = downloadAddress('audit', 'some folder/é.csv', {
      fileName: 'x.csv',
      contentType: 'text/csv',
      expiresSeconds: 60,
    });
    expect(await (await fetch(url)).text()).toBe('a,b');
    expect(new URL(url).searchParams.get('response-content-disposition')).toBe('attachment; filename="x.csv"');
  });
});

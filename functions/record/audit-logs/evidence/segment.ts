import { createGunzip, createGzip } from 'node:zlib';
import { Readable, type Transform } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';

import { BlobUpload, readBlob } from '../../../kernel/blobs/store.ts';
import { type EvidenceRow, makeRow, listTexts } from './row.ts';

/** The keys of an organization's audit logs in the buckets. */
export const folderOf = (environmentId: string, organizationId: string): string =>
  `${environmentId}/${organizationId}/`;

const padded = (segment: number): string => String(segment).padStart(8, '0');

/** The object with the events of a segment, in gzip, with one JSON array of texts on each line. */
export const segmentKey = (environmentId: string, organizationId: string, segment: number): string =>
  `segments/${folderOf(environmentId, organizationId)}${padded(segment)}.jsonl.gz`;

/** The object with the signed root of a segment. */
export const rootKey = (environmentId: string, organizationId: string, segment: number): string =>
  `roots/${folderOf(environmentId, organizationId)}${padded(segment)}.json`;

/** Number of characters collected before they are compressed. */
const CHUNK_LENGTH = 262_144;

/**
 * Writes a segment while its rows are read; memory does not grow with it.
 * @throws any error of reading the rows, after the partial upload was aborted
 */
export async function writeSegment(key: string, rows: AsyncIterable<EvidenceRow>): Promise<void> {
  const upload = new BlobUpload('audit', key, 'application/gzip');
  try {
    for await (const chunk of transformed(lines(rows), createGzip())) await upload.write(chunk);
    await upload.finish();
  } catch (error) {
    await upload.abort();
    throw error;
  }
}

async function* lines(rows: AsyncIterable<EvidenceRow>): AsyncGenerator<string> {
  let text = '';
  for await (const row of rows) {
    text += `${JSON.stringify(listTexts(row))}\n`;
    if (text.length < CHUNK_LENGTH) continue;
    yield text;
    text = '';
  }
  if (text !== '') yield text;
}

/** Reads the rows of a segment in their order. */
export async function* readSegment(key: string): AsyncGenerator<EvidenceRow> {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  for await (const chunk of transformed(readBlob('audit', key), createGunzip())) {
    const parts = (rest + decoder.write(chunk)).split('\n');
    rest = parts.pop() ?? '';
    for (const line of parts) yield makeRow(JSON.parse(line) as string[]);
  }
  if (rest + decoder.end() !== '') throw new RangeError('The last line of a segment is not whole');
}

/** The chunks of a source after a transformation. An error of the source is thrown too: `pipe` does not pass it on, so it would end the process. */
async function* transformed(source: AsyncIterable<string | Uint8Array>, by: Transform): AsyncGenerator<Buffer> {
  const readable = Readable.from(source);
  readable.on('error', (error) => by.destroy(error));
  yield* readable.pipe(by) as AsyncIterable<Buffer>;
}

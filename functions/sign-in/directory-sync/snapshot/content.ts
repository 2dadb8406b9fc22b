import { gunzipSync, gzipSync } from 'node:zlib';

import { awaitAll } from '../../../kernel/concurrency.ts';
import type { Write } from '../../../kernel/storage/write.ts';
import { unguarded } from '../../../kernel/storage/write.ts';
import { partRows, type SnapshotRecord } from './entity.ts';

/** Maximum characters of a row; DynamoDB accepts 400 KB. */
const ROW_CHARACTERS = 300_000;

const makeId = (part: number, row: number): string =>
  `${String(part).padStart(2, '0')}#${String(row).padStart(2, '0')}`;

/** The rows of a part of a snapshot's text, at most five for a body of 1 MiB, and their number. */
export function writePart(
  { environmentId, id: snapshotId, owner, expiresAt }: SnapshotRecord,
  part: number,
  text: string,
): { writes: Write[]; rows: number } {
  const encoded = gzipSync(text).toString('base64');
  const rows = Math.max(1, Math.ceil(encoded.length / ROW_CHARACTERS));
  const writes = Array.from({ length: rows }, (_, row) => {
    const data = encoded.slice(row * ROW_CHARACTERS, (row + 1) * ROW_CHARACTERS);
    return unguarded(
      partRows.create({ environmentId, id: makeId(part, row), snapshotId, owner, expiresAt, data }).write,
    );
  });
  return { writes, rows };
}

/** The ids of all rows of a text, by part. */
const listRowIds = ({ received }: SnapshotRecord): string[][] =>
  Object.entries(received)
    .toSorted(([one], [other]) => Number(one) - Number(other))
    .map(([part, rows]) => Array.from({ length: rows }, (_, row) => makeId(Number(part), row)));

/** Reads the text of a snapshot, whose parts are joined; one GetItem for each row. @throws Error if a row is missing */
export async function readContent(snapshot: SnapshotRecord): Promise<string> {
  const { environmentId, id: snapshotId } = snapshot;
  const texts = [];
  for (const ids of listRowIds(snapshot)) {
    const rows = await awaitAll(ids.map((id) => partRows.get(environmentId, id, { snapshotId })));
    const encoded = rows.map((row) => {
      if (row === undefined) throw new Error('A row of the text of a snapshot is missing');
      return row.data;
    });
    texts.push(gunzipSync(Buffer.from(encoded.join(''), 'base64')).toString());
  }
  return texts.join('');
}

/** The writes that remove the text of a snapshot. */
export const removalOfContent = (snapshot: SnapshotRecord): Write[] =>
  listRowIds(snapshot)
    .flat()
    .map((id) => partRows.removeByKey({ environmentId: snapshot.environmentId, snapshotId: snapshot.id, id }));

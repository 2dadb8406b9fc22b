import { ListObjectsV2Command } from '@aws-sdk/client-s3';

import { blobClient } from '../../../functions/kernel/blobs/client.ts';
import { readBucketName } from '../../../functions/kernel/blobs/address.ts';
import { settings } from '../../../functions/kernel/settings.ts';
import { scanRows } from '../../support/documents.ts';
import type { Remaining } from '../../support/remaining-kinds.ts';

/** A row of a table as it is stored. */
export type Row = Record<string, unknown>;

/** All rows of the service's main table. */
export const dumpRows = (): Promise<Row[]> => scanRows({ TableName: settings().GATEHOUSE_TABLE });

/** All rows of the table of keys. */
export const dumpKeys = (): Promise<Row[]> => scanRows({ TableName: settings().GATEHOUSE_KEY_TABLE });

/** The keys of all objects of a bucket. */
export async function dumpObjects(bucket: 'audit' | 'audit-roots'): Promise<string[]> {
  const found = await blobClient().send(new ListObjectsV2Command({ Bucket: readBucketName(bucket) }));
  return (found.Contents ?? []).map(({ Key }) => Key ?? '');
}

export const readKind = ({ __edb_e__: kind }: Row): string => String(kind);

/** The kinds of the rows of the main table. */
export const listKinds = async (): Promise<string[]> => [...new Set((await dumpRows()).map(readKind))];

/** The rows that contain one of the given ids, in any attribute. */
export function findMentions(rows: readonly Row[], ids: readonly string[]): Row[] {
  const wanted = new Set(ids);
  return rows.filter((row) =>
    [...JSON.stringify(row).matchAll(/[a-z_]+_[0-9A-Z]{26}/g)].some(([text]) => wanted.has(text)),
  );
}

const DAY_SECONDS = 86_400;

/** The rows that the README does not permit, by the reason. @param now seconds since the epoch */
export function findUnexpected(rows: readonly Row[], remaining: readonly Remaining[], now: number): string[] {
  const allowed = new Map(remaining.map((each) => [each.kind, each]));
  const faults = rows.flatMap((row) => {
    const kind = readKind(row);
    const found = allowed.get(kind);
    if (found === undefined) return [`${kind} remains`];
    if (found.days === undefined) return [];
    const { expiresAt } = row;
    if (typeof expiresAt !== 'number') return [`${kind} remains and does not expire`];
    return expiresAt > now + found.days * DAY_SECONDS ? [`${kind} remains longer than ${found.days} days`] : [];
  });
  return [...new Set(faults)].sort();
}

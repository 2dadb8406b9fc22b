import { collection } from '../../../kernel/storage/collection.ts';
import { entity, type RecordOf } from '../../../kernel/storage/entity.ts';

import {
  creationIndex,
  model,
  ownedAttributes,
  ownedIndex,
  partition,
  recordAttributes,
  recordKey,
  sortedBy,
  ownedRecord,
} from '../../../kernel/storage/record.ts';
import type { Reading } from '../../../kernel/storage/range.ts';
import type { Window } from '../../../kernel/storage/window.ts';
import type { Write } from '../../../kernel/storage/write.ts';

/** An object without its value: the members for lists and descriptions. */
const ObjectEntity = entity({
  model: model('vault-object'),
  attributes: {
    ...recordAttributes,
    ...ownedAttributes,
    name: { type: 'string', required: true, readOnly: true },
    context: { type: 'any', required: true, readOnly: true },
    /** Id of the context's key that protects the current value. */
    keyId: { type: 'string', required: true },
    /** The KMS key of the current value: an ARN, or the id of a multi-region key; empty for the stage's own. */
    root: { type: 'string', required: true },
    versionId: { type: 'string', required: true },
    /** Number of the current version, from 1. */
    number: { type: 'number', required: true },
    updatedById: { type: 'string', required: true },
    updatedByName: { type: 'string', required: true },
  },
  indexes: { primary: recordKey('vault-object'), byCreation: creationIndex('vault-object'), owned: ownedIndex },
});

export type ObjectRecord = RecordOf<typeof ObjectEntity>;
/** Objects: `get` is one GetItem, `list` by `byCreation` one Query. */
export const objects = collection(ObjectEntity, {
  events: ['vault.data.created', 'vault.data.updated', 'vault.data.deleted'],
});

/** The encrypted value of an object in a separate row, so that no list reads its up to 256 KiB and no index copies them. */
const ValueEntity = entity(
  ownedRecord('vault-value', {
    /** The version of the value. If the object has another version, the value is not returned. */
    versionId: { type: 'string', required: true },
    /** The bytes of an envelope. */
    sealed: { type: 'any', required: true },
  }),
);

export type ValueRecord = RecordOf<typeof ValueEntity>;
export const values = collection(ValueEntity, 'internal');

/** The write that removes the value of an object in the transaction that removes its row. */
export const dropValue = (environmentId: string, id: string): Write => values.removeByKey({ environmentId, id });

/** The metadata of a version. Its value is removed once another version replaces it. */
const VersionEntity = entity({
  model: model('vault-version'),
  attributes: {
    ...recordAttributes,
    ...ownedAttributes,
    objectId: { type: 'string', required: true, readOnly: true },
    /** The version's number in ten digits, by which rows sort, so that the oldest one to remove is known without a read. */
    place: { type: 'string', required: true, readOnly: true },
    etag: { type: 'string', required: true },
    /** Bytes of the value. */
    size: { type: 'number', required: true },
  },
  indexes: {
    primary: {
      pk: partition('pk', 'vault-version', 'objectId'),
      sk: sortedBy('sk', 'place'),
    },
    owned: ownedIndex,
  },
});

export type VersionRecord = RecordOf<typeof VersionEntity>;
export const versions = collection(VersionEntity, 'internal');

/** Maximum versions that are listed for one object. */
export const MAX_VERSIONS = 50;

export const formatVersion = (number: number): string => String(number).padStart(10, '0');

/** The versions of an object, the newest first, by one strongly consistent Query. */
export const findVersions = (environmentId: string, objectId: string): Promise<VersionRecord[]> =>
  versions.list('primary', { environmentId, objectId }).take(MAX_VERSIONS, 'desc');

/** The write that removes the row of a version. A missing row is not an error. */
export const dropVersion = (environmentId: string, objectId: string, number: number): Write =>
  versions.removeByKey({ environmentId, objectId, place: formatVersion(number) });

/** Maximum reads of one page, and the rows of each. */
const MAX_READS = 8;
const ROWS_A_READ = 500;

/**
 * Objects changed after a time, by id. It reads until the page is full, the list ends, or the maximum number of reads is
 * reached.
 */
export async function objectsChangedAfter(
  environmentId: string,
  updatedAfter: string,
  { scan, after, limit }: Window,
): Promise<Reading<ObjectRecord>> {
  const records: ObjectRecord[] = [];
  let position = after;
  for (let read = 0; read < MAX_READS; read += 1) {
    const from = position === undefined ? {} : { after: position };
    const page = await objects.list('byCreation', { environmentId }).toPage({ scan, limit: ROWS_A_READ, ...from });
    records.push(...page.records.filter(({ updatedAt }) => updatedAt > updatedAfter));
    position = page.reached;
    if (records.length >= limit || position === undefined) break;
  }
  return position === undefined ? { records } : { records, reached: position };
}

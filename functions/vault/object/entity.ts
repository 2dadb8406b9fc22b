import { collection } from '../../kernel/storage/collection.ts';
import { entity, type RecordOf } from '../../kernel/storage/entity.ts';

import {
  creationIndex,
  model,
  ownedAttributes,
  ownedIndex,
  recordAttributes,
  recordKey,
} from '../../kernel/storage/record.ts';
import type { Reading } from '../../kernel/storage/stretch.ts';
import type { Window } from '../../kernel/storage/window.ts';
import type { Write } from '../../kernel/storage/write.ts';

/** An object without its value: what lists and descriptions read. */
const ObjectEntity = entity({
  model: model('vault-object'),
  attributes: {
    ...recordAttributes,
    ...ownedAttributes,
    name: { type: 'string', required: true, readOnly: true },
    context: { type: 'any', required: true, readOnly: true },
    /** Id of the context's key under which the present value stands. */
    keyId: { type: 'string', required: true },
    /** ARN of the KMS key of the present value; empty for the stage's own. */
    root: { type: 'string', required: true },
    versionId: { type: 'string', required: true },
    /** Number of the present version, from 1. */
    number: { type: 'number', required: true },
    updatedById: { type: 'string', required: true },
    updatedByName: { type: 'string', required: true },
  },
  indexes: { primary: recordKey('vault-object'), byCreation: creationIndex('vault-object'), owned: ownedIndex },
});

export type ObjectRecord = RecordOf<typeof ObjectEntity>;
/** Objects: `get` one GetItem, `list` by `byCreation` one Query. */
export const objects = collection(ObjectEntity);

/** The sealed value of an object, apart: up to 256 KiB that no list reads and no index copies. */
const ValueEntity = entity({
  model: model('vault-value'),
  attributes: {
    ...recordAttributes,
    ...ownedAttributes,
    /** The version it is of: a value read beside another version is not answered. */
    versionId: { type: 'string', required: true },
    /** Bytes of an envelope. */
    sealed: { type: 'any', required: true },
  },
  indexes: { primary: recordKey('vault-value'), owned: ownedIndex },
});

export type ValueRecord = RecordOf<typeof ValueEntity>;
export const values = collection(ValueEntity);

/** The write that removes the value of an object whose own row is removed beside it. */
export function dropValue(environmentId: string, id: string): Write {
  const { TableName, Key } = values.entity().delete({ environmentId, id }).params<DeleteParams>();
  return { kind: 'Delete', params: { TableName, Key } };
}

interface DeleteParams {
  TableName: string;
  Key: Record<string, unknown>;
}

/** What is told of a version. Its value is gone once another replaced it. */
const VersionEntity = entity({
  model: model('vault-version'),
  attributes: {
    ...recordAttributes,
    ...ownedAttributes,
    objectId: { type: 'string', required: true, readOnly: true },
    /** The version's number in ten digits: rows sort by it, and the one to drop is known without a read. */
    place: { type: 'string', required: true, readOnly: true },
    etag: { type: 'string', required: true },
    /** Bytes of the value. */
    size: { type: 'number', required: true },
  },
  indexes: {
    primary: {
      pk: {
        field: 'pk',
        composite: ['environmentId', 'objectId'],
        template: '${environmentId}#vault-version#${objectId}',
        casing: 'none',
      },
      sk: { field: 'sk', composite: ['place'], template: '${place}', casing: 'none' },
    },
    owned: ownedIndex,
  },
});

export type VersionRecord = RecordOf<typeof VersionEntity>;
export const versions = collection(VersionEntity);

/** Versions that are told of one object. */
export const MAX_VERSIONS = 50;

export const placeOf = (number: number): string => String(number).padStart(10, '0');

/** The versions of an object, the newest first: one strongly consistent Query. */
export async function versionsOf(environmentId: string, objectId: string): Promise<VersionRecord[]> {
  const { data } = await versions
    .entity()
    .query.primary({ environmentId, objectId })
    .go({ order: 'desc', limit: MAX_VERSIONS, consistent: true });
  return data;
}

/** The write that removes the row of a version; one that is not there is no error. */
export function dropVersion(environmentId: string, objectId: string, number: number): Write {
  const { TableName, Key } = versions
    .entity()
    .delete({ environmentId, objectId, place: placeOf(number) })
    .params<DeleteParams>();
  return { kind: 'Delete', params: { TableName, Key } };
}

/** Queries of one page at most, each reading up to 1 MB. */
const MAX_QUERIES = 8;
const ROWS_A_QUERY = 500;

/** Objects changed after a moment, by id: reads on until the window is full, the list ends, or enough was read. */
export async function objectsChangedAfter(
  environmentId: string,
  updatedAfter: string,
  { scan, beyond, limit }: Window,
): Promise<ObjectRecord[] | Reading<ObjectRecord>> {
  const records: ObjectRecord[] = [];
  let reached = beyond;
  for (let query = 0; query < MAX_QUERIES; query += 1) {
    const from = reached === undefined ? {} : { beyond: reached };
    const rows = await objects.list('byCreation', { environmentId }, { scan, limit: ROWS_A_QUERY, ...from });
    records.push(...rows.filter(({ updatedAt }) => updatedAt > updatedAfter));
    if (records.length >= limit || rows.length < ROWS_A_QUERY) return records.slice(0, limit);
    reached = rows.at(-1)?.id;
  }
  return reached === undefined ? records : { records, reached };
}

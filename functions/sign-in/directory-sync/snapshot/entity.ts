import { collection } from '../../../kernel/storage/collection.ts';
import { entity, type RecordOf } from '../../../kernel/storage/entity.ts';
import {
  childKey,
  expiringAttributes,
  model,
  ownedAttributes,
  ownedIndex,
  partition,
  recordAttributes,
  sortedBy,
} from '../../../kernel/storage/record.ts';
import type { LineError } from './file.ts';

const common = { ...recordAttributes, ...ownedAttributes, ...expiringAttributes } as const;

const SnapshotEntity = entity({
  model: model('directory-snapshot'),
  attributes: {
    ...common,
    directoryId: { type: 'string', required: true, readOnly: true },
    organizationId: { type: 'string', required: true, readOnly: true },
    format: { type: ['csv', 'ndjson'] as const, required: true, readOnly: true },
    /** Number of parts of the snapshot's text. */
    parts: { type: 'number', required: true, readOnly: true },
    /** The number of rows of each part that has arrived, by the part's number. */
    received: { type: 'any', required: true },
    isDryRun: { type: 'boolean', required: true, readOnly: true },
    /** Maximum share of active users who may leave by it, in percent. */
    maxLeaversPercent: { type: 'number', required: true, readOnly: true },
    state: { type: ['uploading', 'pending', 'applying', 'completed', 'rejected', 'failed'] as const, required: true },
    /** The {@link Difference} from the directory; absent until it was computed. */
    difference: { type: 'any' },
    /** Number of users of the snapshot that were applied. */
    applied: { type: 'number', required: true },
    /** A list of {@link LineError}. */
    errors: { type: 'any', required: true },
  },
  indexes: { primary: childKey('directory-snapshot', 'directoryId'), owned: ownedIndex },
});

/** The difference between a snapshot and its directory, in numbers of users. */
export interface Difference {
  /** Users of the snapshot. */
  users: number;
  created: number;
  changed: number;
  unchanged: number;
  /** Active users of the directory that the snapshot does not have, or has as inactive. */
  leavers: number;
  /** The leavers who are members of the organization by the directory. */
  losingAccess: number;
}

type Row = RecordOf<typeof SnapshotEntity>;

/** A snapshot of a directory's users. */
export type SnapshotRecord = Omit<Row, 'received' | 'difference' | 'errors'> & {
  received: Record<string, number>;
  difference?: Difference | undefined;
  errors: LineError[];
};

/** Snapshots by directory and id: `get` is one GetItem, `list` by `primary` one Query, both strongly consistent. */
export const snapshots = collection(SnapshotEntity, 'silent');

/** Finds a snapshot of a directory by one strongly consistent GetItem. */
export const findSnapshot = async (
  environmentId: string,
  directoryId: string,
  id: string,
): Promise<SnapshotRecord | undefined> => snapshots.get(environmentId, id, { directoryId });

/** The text of a snapshot: compressed, in rows of at most 300,000 characters. */
const PartEntity = entity({
  model: model('directory-snapshot-part'),
  attributes: {
    ...common,
    snapshotId: { type: 'string', required: true, readOnly: true },
    /** A part of the Base64 of a compressed part of the text. */
    data: { type: 'string', required: true },
  },
  indexes: { primary: childKey('directory-snapshot-part', 'snapshotId'), owned: ownedIndex },
});

export const partRows = collection(PartEntity, 'internal');

/** A user who leaves by a snapshot. */
const LeaverEntity = entity({
  model: model('directory-snapshot-leaver'),
  attributes: {
    ...common,
    snapshotId: { type: 'string', required: true, readOnly: true },
    losesAccess: { type: 'boolean', required: true },
  },
  indexes: {
    primary: {
      pk: partition('pk', 'directory-snapshot-leaver', 'snapshotId'),
      sk: sortedBy('sk', 'id'),
    },
    owned: ownedIndex,
  },
});

/** The leavers of a snapshot, by the ids of their rows in the directory: `list` by `primary` is one Query. */
export const leaverRows = collection(LeaverEntity, 'internal');

import { LIST_GRANT_SECONDS } from '../../../../kernel/authentication/grant.ts';
import { collection } from '../../../../kernel/storage/collection.ts';
import { dueAttributes, dueIndex, findDue } from '../../../../kernel/storage/due.ts';
import { entity, type RecordOf } from '../../../../kernel/storage/entity.ts';
import {
  creationIndex,
  expiringAttributes,
  model,
  ownedAttributes,
  ownedIndex,
  recordAttributes,
  recordKey,
} from '../../../../kernel/storage/record.ts';
import { workKind } from '../../../../kernel/storage/work.ts';
import type { Write } from '../../../../kernel/storage/write.ts';
import { FORMATS } from './write.ts';
import { keyPurpose } from '../../../../kernel/keys/key-wrapper.ts';

const ListExportEntity = entity({
  model: model('list-export'),
  attributes: {
    ...recordAttributes,
    ...ownedAttributes,
    ...expiringAttributes,
    /** The time from which an unfinished export has failed, or from which the file of a finished one is deleted. */
    ...dueAttributes,
    list: { type: 'string', required: true, readOnly: true },
    /** The filter, by the names of its members. */
    filter: { type: 'any', required: true, readOnly: true },
    format: { type: FORMATS, required: true, readOnly: true },
    state: { type: ['pending', 'ready', 'failed', 'expired'] as const, required: true },
    operatorId: { type: 'string', required: true, readOnly: true },
    operatorName: { type: 'string', required: true, readOnly: true },
    /** The number of records in the file. */
    rows: { type: 'number' },
    /** True if the list has more records than an export may have. */
    isTruncated: { type: 'boolean' },
    /** The reason why the export failed. */
    failure: { type: 'string' },
    /** The time when the file of a ready export is deleted. */
    endsAt: { type: 'string' },
    /** The hash of the grant with which the list is read; absent once the export is finished. */
    grantHash: { type: 'string' },
    /** The value of the grant, encrypted. */
    sealedGrant: { type: 'any' },
  },
  indexes: {
    primary: recordKey('list-export'),
    /** The exports of an environment by creation: one Query, which lags by moments. */
    byCreation: creationIndex('list-export'),
    due: dueIndex('list-export'),
    owned: ownedIndex,
  },
});

export type ListExportRecord = RecordOf<typeof ListExportEntity>;

/** Exports of lists. Their events name their ends; nothing else of them changes visibly. */
export const listExports = collection(ListExportEntity, {
  events: ['resource_export.created', 'resource_export.completed', 'resource_export.failed'],
  silent: ['state', 'endsAt', 'dueAt', 'dueShard'],
});

/** Unfinished exports whose grant has expired, and files that expire. */
export const dueListExports = (limit: number): Promise<ListExportRecord[]> => findDue(listExports.entity(), limit);

/** The write that claims the due work of an export, which is due again at a later time. */
export const postponeListExport = (record: ListExportRecord, due: { dueShard: string; dueAt: string }): Write =>
  listExports.revise(record, due).write;

/** The time in ms after which an unfinished export has failed: its grant has expired, so no run can finish it. */
export const STUCK_MS = (LIST_GRANT_SECONDS + 300) * 1_000;

/** The making of the file of an export. It reads the export by its key, so one run is enough. */
export const listExportWork = workKind<{ id: string }>('exports.make', { runs: 1 });

/** The purpose for which the grants of exports are encrypted. */
export const grantScope = (environmentId: string) => ({ environmentId, purpose: keyPurpose('list-export') });

/** The key of an export's file. It is below the prefix of all exports, which a rule of the bucket and the erasure of an environment delete. */
export const fileKey = ({ environmentId, id, format }: ListExportRecord): string =>
  `exports/${environmentId}/lists/${id}.${format}`;

import { collection } from '../../../kernel/storage/collection.ts';
import { entity, type RecordOf } from '../../../kernel/storage/entity.ts';
import { dueAttributes, dueIndex, findDue } from '../../../kernel/storage/due.ts';
import {
  attributeIndex,
  expiringAttributes,
  model,
  ownedAttributes,
  ownedIndex,
  recordAttributes,
  recordKey,
} from '../../../kernel/storage/record.ts';
import { folderOf } from '../evidence/segment.ts';

const ExportEntity = entity({
  model: model('audit-export'),
  attributes: {
    ...recordAttributes,
    ...ownedAttributes,
    ...expiringAttributes,
    ...dueAttributes,
    organizationId: { type: 'string', required: true, readOnly: true },
    rangeStart: { type: 'string', required: true, readOnly: true },
    rangeEnd: { type: 'string', required: true, readOnly: true },
    /** Filters, by the names of ExportFilter. */
    filter: { type: 'any', required: true, readOnly: true },
    state: { type: ['pending', 'ready', 'error', 'expired'] as const, required: true },
    /** Number of attempts. */
    attempts: { type: 'number', required: true },
    rows: { type: 'number' },
    /** The time when a ready export expires. */
    endsAt: { type: 'string' },
  },
  indexes: {
    primary: recordKey('audit-export'),
    /** The exports of an organization by creation: one Query, which lags by moments. */
    byOrganization: attributeIndex('audit-export', 'organizationId'),
    due: dueIndex('audit-export'),
    owned: ownedIndex,
  },
});

export type ExportRecord = RecordOf<typeof ExportEntity>;

/** Exports of audit logs: `get` is one GetItem. */
export const exports = collection(ExportEntity, 'silent');

/** Exports that were not finished, and those that expire. */
export const dueExports = (limit: number): Promise<ExportRecord[]> => findDue(exports.entity(), limit);

/** The key of an export's CSV; its proof has a key with the same prefix. */
export const exportKey = ({ environmentId, organizationId, id }: ExportRecord): string =>
  `exports/${folderOf(environmentId, organizationId)}${id}.csv`;
export const proofKey = (record: ExportRecord): string => `${exportKey(record)}.proof`;

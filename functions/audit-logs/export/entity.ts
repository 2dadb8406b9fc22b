import { collection } from '../../kernel/storage/collection.ts';
import { entity, type RecordOf } from '../../kernel/storage/entity.ts';
import { dueAttributes, dueIndex, findDue } from '../../kernel/storage/due.ts';
import {
  expiringAttributes,
  model,
  ownedAttributes,
  ownedIndex,
  recordAttributes,
  recordKey,
} from '../../kernel/storage/record.ts';
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
    /** Lists by the names of ExportFilter. */
    filter: { type: 'any', required: true, readOnly: true },
    state: { type: ['pending', 'ready', 'error', 'expired'] as const, required: true },
    /** Times that it was begun. */
    attempts: { type: 'number', required: true },
    rows: { type: 'number' },
    /** When a ready export ends. */
    endsAt: { type: 'string' },
  },
  indexes: { primary: recordKey('audit-export'), due: dueIndex('audit-export'), owned: ownedIndex },
});

export type ExportRecord = RecordOf<typeof ExportEntity>;

/** `get`: one GetItem. */
export const exports = collection(ExportEntity);

/** Exports that nobody finished, and those that end. */
export const dueExports = (limit: number): Promise<ExportRecord[]> => findDue(exports.entity(), limit);

/** Where an export's CSV stands; its proof beside it. */
export const exportKey = ({ environmentId, organizationId, id }: ExportRecord): string =>
  `exports/${folderOf(environmentId, organizationId)}${id}.csv`;
export const proofKey = (record: ExportRecord): string => `${exportKey(record)}.proof`;

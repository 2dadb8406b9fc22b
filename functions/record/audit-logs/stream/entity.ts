import { collection } from '../../../kernel/storage/collection.ts';
import { entity, type RecordOf } from '../../../kernel/storage/entity.ts';
import { dueAttributes, dueIndex, findDue } from '../../../kernel/storage/due.ts';
import { model, ownedAttributes, ownedIndex, recordAttributes, recordKeyBy } from '../../../kernel/storage/record.ts';

/** An organization's log stream: the target of its events and the position of its delivery. */
const StreamEntity = entity({
  model: model('audit-stream'),
  attributes: {
    ...recordAttributes,
    ...ownedAttributes,
    ...dueAttributes,
    organizationId: { type: 'string', required: true, readOnly: true },
    /** The target of the stream, as declared in rules.ts. */
    target: { type: 'any', required: true },
    /** The target's secrets as JSON, encrypted. */
    secrets: { type: 'any', required: true },
    state: { type: ['active', 'inactive', 'error', 'invalid'] as const, required: true },
    /** The oldest hour that is not complete. */
    from: { type: 'string', required: true },
    /** The positions up to which events were delivered, by interval. */
    positions: { type: 'any', required: true },
    lastSyncedAt: { type: 'string' },
    /** Number of failures since the last success, and a short description of the last failure. */
    failures: { type: 'number', required: true },
    lastError: { type: 'string' },
  },
  indexes: {
    primary: recordKeyBy('audit-stream', 'organizationId'),
    due: dueIndex('audit-stream'),
    owned: ownedIndex,
  },
});

export type StreamRecord = RecordOf<typeof StreamEntity>;
export const streams = collection(StreamEntity, 'silent');

/** Streams whose next run is due. */
export const dueStreams = (limit: number): Promise<StreamRecord[]> => findDue(streams.entity(), limit);

/** An organization's stream: one strongly consistent GetItem. */
export const findStream = (environmentId: string, organizationId: string): Promise<StreamRecord | undefined> =>
  streams.get(environmentId, organizationId, { organizationId });

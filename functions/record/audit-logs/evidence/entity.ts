import { isId } from '../../../kernel/id-format.ts';
import { collection } from '../../../kernel/storage/collection.ts';
import { entity, type RecordOf } from '../../../kernel/storage/entity.ts';
import { dueAttributes, dueIndex, findDue } from '../../../kernel/storage/due.ts';
import {
  childKey,
  model,
  ownedAttributes,
  ownedIndex,
  recordAttributes,
  recordKey,
} from '../../../kernel/storage/record.ts';

/**
 * An organization's audit trail: its last sealed segment, and its retention. Its id is the organization's. This area's
 * own worker erases it with the organization, after the objects that its rows refer to.
 */
const TrailEntity = entity({
  model: model('audit-trail'),
  attributes: {
    ...recordAttributes,
    ...ownedAttributes,
    ...dueAttributes,
    /** Retention in days; absent if not configured. */
    retentionDays: { type: 'number' },
    /** The number of the last sealed segment; 0 before the first. */
    segment: { type: 'number', required: true },
    /** SHA-256 of the last seal's statement, hex. */
    sealHash: { type: 'string' },
  },
  indexes: { primary: recordKey('audit-trail'), due: dueIndex('audit-trail'), owned: ownedIndex },
});

/**
 * An hour of an organization in which events were received. Its id is the hour, or `<hour>+<n>` for events that were found
 * later.
 */
const IntervalEntity = entity({
  model: model('audit-interval'),
  attributes: {
    ...recordAttributes,
    ...ownedAttributes,
    ...dueAttributes,
    organizationId: { type: 'string', required: true, readOnly: true },
    state: { type: ['open', 'sealed', 'erased'] as const, required: true },
    /** The following members are present after the hour was sealed. */
    segment: { type: 'number' },
    size: { type: 'number' },
    occurredFrom: { type: 'string' },
    occurredTo: { type: 'string' },
    /** The text of the seal's statement, and its signature in base64. */
    statement: { type: 'string' },
    signature: { type: 'string' },
    /** True after the second check, for events that the index showed late. */
    isSettled: { type: 'boolean' },
  },
  indexes: {
    /** An organization's hours in one partition: a range of them is one strongly consistent Query. */
    primary: childKey('audit-interval', 'organizationId'),
    due: dueIndex('audit-interval'),
    owned: ownedIndex,
  },
});

export type TrailRecord = RecordOf<typeof TrailEntity>;
export type IntervalRecord = RecordOf<typeof IntervalEntity>;

/** Trails of organizations: `get` is one GetItem. */
export const trails = collection(TrailEntity, 'internal');
export const intervals = collection(IntervalEntity, 'silent');

/** Trails whose retention check is due. */
export const dueTrails = (limit: number): Promise<TrailRecord[]> => findDue(trails.entity(), limit);
/** Intervals whose sealing or second check is due. */
export const dueIntervals = (limit: number): Promise<IntervalRecord[]> => findDue(intervals.entity(), limit);

/** One interval: a strongly consistent GetItem. */
export const findInterval = (
  environmentId: string,
  organizationId: string,
  id: string,
): Promise<IntervalRecord | undefined> => intervals.get(environmentId, id, { organizationId });

/** An organization's intervals from the oldest, in pages of 1 MB, strongly consistent. */
export async function* readIntervals(
  environmentId: string,
  organizationId: string,
  from = '0',
): AsyncGenerator<IntervalRecord> {
  // A path may contain any text; a text that is not an organization's id has no intervals.
  if (!isId('org', organizationId)) return;
  const query = intervals.entity().query.primary({ environmentId, organizationId }).gte({ id: from });
  yield* intervals.select('primary', query);
}

import { readSubjectEvents } from '../../../../kernel/events/reading.ts';
import { awaitAll } from '../../../../kernel/concurrency.ts';
import type { EventName } from '../../../../kernel/events/catalogue/names.ts';
import type { EventRecord } from '../../../../kernel/events/entity.ts';
import { readSubject } from '../../../../kernel/events/subject.ts';
import { computeState, type PastState, type RecordEvent, type Snapshot } from './rules.ts';

/** A kind of record whose past states can be read. */
export interface PastKind {
  /** The events about a record, and about its parts. */
  events: readonly EventName[];
  /** The member of the event that has the id of the record. */
  readId: (data: Snapshot) => unknown;
  /** Members that change without an event. */
  silent: readonly string[];
  /** The member with the id of the organization with which the record goes, without an event of its own. */
  owner?: string;
}

export const USERS: PastKind = {
  events: ['user.created', 'user.updated', 'user.deleted'],
  readId: ({ id }) => id,
  silent: ['last_sign_in_at'],
};

export const ORGANIZATIONS: PastKind = {
  events: [
    'organization.created',
    'organization.updated',
    'organization.deleted',
    'organization_domain.created',
    'organization_domain.updated',
    'organization_domain.verified',
    'organization_domain.verification_failed',
    'organization_domain.deleted',
  ],
  readId: ({ object, id, organization_id, organization_domain }) =>
    object === 'organization'
      ? id
      : (organization_id ?? (organization_domain as Snapshot | undefined)?.organization_id),
  silent: [],
};

export const MEMBERSHIPS: PastKind = {
  events: ['organization_membership.created', 'organization_membership.updated', 'organization_membership.deleted'],
  readId: ({ id }) => id,
  silent: [],
  owner: 'organization_id',
};

/** The end of an organization, which removes its memberships without an event for each. */
const ENDED_ORGANIZATION: PastKind = { events: ['organization.deleted'], readId: ({ id }) => id, silent: [] };

/** Maximum events that are read at a time on each side of the moment, and the number of reads. */
const PAGE = 100;
const MOST_PAGES = 10;

/**
 * Finds the state of a record at a moment, by two Queries at once (for an organization eight), and further ones while a person's other
 * records fill the pages. The index lags by moments.
 * @param subject the user or organization in whose list the events are
 * @param current the record now, in the form of events; undefined if it does not exist
 */
export async function findPastState(
  environmentId: string,
  { id, subject, time, current }: { id: string; subject: string; time: number; current: Snapshot | undefined },
  kind: PastKind,
): Promise<PastState & { isKnown: boolean }> {
  const moment = new Date(time).toISOString();
  // The state at a moment includes what happened in its millisecond.
  const next = new Date(time + 1).toISOString();
  const [before, after] = await awaitAll([
    findEvents(environmentId, { id, subject, kind, scan: 'desc', range: { range_end: next } }),
    findEvents(environmentId, { id, subject, kind, scan: 'asc', range: { range_start: next } }),
  ]);
  // Events have the record as JSON, in which absent members are left out.
  const now = current && (JSON.parse(JSON.stringify(current)) as Snapshot);
  const state = computeState({ moment, before, after, current: now }, kind.silent);
  const isGone = current === undefined && after.length === 0;
  const end = isGone && (await findEnd(environmentId, state.record, { kind, range: { range_end: next } }));
  if (end) return { record: undefined, event: end, unknown: [], isKnown: true };
  return { ...state, isKnown: current !== undefined || before.length > 0 || after.length > 0 };
}

/** Finds the deletion of the organization with which a record went before the moment. */
async function findEnd(
  environmentId: string,
  record: Snapshot | undefined,
  { kind: { owner }, range }: Pick<Side, 'kind' | 'range'>,
): Promise<RecordEvent | undefined> {
  const id = owner === undefined ? undefined : record?.[owner];
  if (typeof id !== 'string') return undefined;
  const [ended] = await findEvents(environmentId, { id, subject: id, kind: ENDED_ORGANIZATION, scan: 'desc', range });
  return ended;
}

interface Side {
  id: string;
  subject: string;
  kind: PastKind;
  scan: 'asc' | 'desc';
  range: { range_start?: string; range_end?: string };
}

/** The events about a record on one side of a moment, the nearest first, until one is about the record as a whole. */
async function findEvents(environmentId: string, { id, subject, kind, scan, range }: Side): Promise<RecordEvent[]> {
  const concerned = readSubject(environmentId, subject);
  if (concerned === undefined) return [];
  const found: RecordEvent[] = [];
  let after: string | undefined;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const window = { scan, limit: PAGE, ...(after === undefined ? {} : { after }) };
    const query = { events: [...kind.events], ...range };
    const { records, reached } = await readSubjectEvents(environmentId, concerned, query, window);
    found.push(...records.map(readEvent).filter(({ data }) => kind.readId(data) === id));
    after = reached;
    if (after === undefined || found.some(({ name }) => !name.startsWith('organization_domain.'))) return found;
  }
  return found;
}

function readEvent({ id, name, data, context }: EventRecord): RecordEvent {
  const { previous_attributes: previous = {} } = JSON.parse(context ?? '{}') as { previous_attributes?: Snapshot };
  return { id, name, data: JSON.parse(data) as Snapshot, previous };
}

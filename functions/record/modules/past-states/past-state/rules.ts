import { isDeepStrictEqual } from 'node:util';

/** A record in the form of events. */
export type Snapshot = Readonly<Record<string, unknown>>;

/** An event about a record. */
export interface RecordEvent {
  id: string;
  name: string;
  /** The record after the change, or before its deletion. */
  data: Snapshot;
  /** The former values of the members that an update changed. */
  previous: Snapshot;
}

/** The state of a record at a moment. */
export interface PastState {
  record: Snapshot | undefined;
  /** The event that shows it; undefined if it is the current record. */
  event: RecordEvent | undefined;
  /** Members whose value at that moment is not known. */
  unknown: readonly string[];
}

/** The events and the record on both sides of a moment. */
interface Known {
  /** The moment (ISO 8601, in UTC with milliseconds). */
  moment: string;
  /** The events up to the moment, the newest first. */
  before: readonly RecordEvent[];
  /** The events after it, the oldest first. */
  after: readonly RecordEvent[];
  /** The record now; undefined if it does not exist. */
  current: Snapshot | undefined;
}

/** The member of an organization that events about its domains change. */
const PARTS = 'domains';

/** Members that no change concerns. */
const CONSTANT: ReadonlySet<string> = new Set(['object', 'id', 'created_at', 'user_id', 'organization_id']);

const isPart = ({ name }: RecordEvent): boolean => name.startsWith('organization_domain.');

/** Reports whether an event is about a record as a whole; others only change parts of it. */
const isWhole = (event: RecordEvent): boolean => /\.(created|updated|deleted)$/.test(event.name) && !isPart(event);

const isEnd = ({ name }: RecordEvent): boolean => name.endsWith('.deleted');

/** The state after a moment. */
interface Later {
  /** The next event about the record as a whole. */
  next: RecordEvent | undefined;
  /** The record until that event, or now; undefined if it does not exist. */
  record: Snapshot | undefined;
  /** True if the change of `next` is undone in it. An update does not say when the one before it was. */
  isUndone: boolean;
  /** True if its last change was before the moment, so that it was the same then, also if that change had no event. */
  isSettled: boolean;
}

function findLater({ moment, after, current }: Known): Later {
  const next = after.find(isWhole);
  if (next !== undefined && !isEnd(next))
    return { next, record: { ...next.data, ...next.previous }, isUndone: true, isSettled: false };
  const record = next === undefined ? current : next.data;
  return { next, record, isUndone: false, isSettled: record !== undefined && String(record.updated_at) <= moment };
}

/**
 * Computes the state of a record at a moment. It is the state in the last event before the moment. Without such an event it is the
 * state in the first event after the moment with its change undone, and without any event the current record. Where both sides
 * are known and differ, an event is missing, and the members that differ are unknown.
 * @param silent Members that change without an event about the record.
 */
export function computeState(known: Known, silent: readonly string[]): PastState {
  const last = known.before.find(isWhole);
  if (last !== undefined && isEnd(last)) return { record: undefined, event: last, unknown: [] };
  const later = findLater(known);
  const event = last ?? later.next;
  if (last === undefined && event?.name.endsWith('.created') === true) return { record: undefined, event, unknown: [] };
  const base = last === undefined || later.isSettled ? later.record : last.data;
  if (base === undefined || isLater(base, known.moment)) return { record: undefined, event, unknown: [] };
  const parts = findParts(known, { last, later }, base);
  const unknown = later.isSettled ? [] : findGaps({ last, later, base, parts });
  return {
    record: parts.record,
    event,
    unknown: [...new Set([...silent, ...unknown, ...(parts.areKnown ? [] : [PARTS])])],
  };
}

/** Reports whether a record was created after a moment, for one without events, such as an imported one. */
const isLater = ({ created_at: createdAt }: Snapshot, moment: string): boolean =>
  typeof createdAt === 'string' && createdAt > moment;

/** The members in which two states differ. */
const differences = (one: Snapshot, other: Snapshot): string[] =>
  Object.keys({ ...one, ...other }).filter((name) => !isDeepStrictEqual(one[name], other[name]));

interface Parts {
  /** The record with the domains of that moment. */
  record: Snapshot;
  /** True if a domain changed between the events about the organization as a whole, and if one did before the moment. */
  exist: boolean;
  changedBefore: boolean;
  areKnown: boolean;
}

/**
 * The members whose values the events do not prove: those that differ between the last event before the moment and the state after
 * it. Without such an event all members of a record that has changed since may have been different.
 */
function findGaps({
  last,
  later: { record, isUndone },
  base,
  parts,
}: {
  last: RecordEvent | undefined;
  later: Later;
  base: Snapshot;
  parts: Parts;
}): string[] {
  if (last === undefined)
    return isUndone || parts.exist ? ['updated_at'] : Object.keys(base).filter((name) => !CONSTANT.has(name));
  const differing = differences(last.data, record ?? last.data);
  if (!parts.exist) return differing.filter((name) => !(isUndone && name === 'updated_at'));
  // Changes of domains explain the differences of these two members.
  const others = differing.filter((name) => name !== PARTS && name !== 'updated_at');
  return parts.changedBefore ? ['updated_at', ...others] : others;
}

/** Finds the domains of that moment: of the last event before it or of the state after it, if no domain changed in between. */
function findParts(
  { before, after }: Known,
  { last, later }: { last: RecordEvent | undefined; later: Later },
  base: Snapshot,
): Parts {
  const changedBefore = before.slice(0, last === undefined ? undefined : before.indexOf(last)).some(isPart);
  const changedAfter = after.slice(0, later.next === undefined ? undefined : after.indexOf(later.next)).some(isPart);
  const exist = changedBefore || changedAfter;
  if (!exist) return { record: base, exist, changedBefore, areKnown: true };
  const source = last !== undefined && !changedBefore ? last.data : changedAfter ? undefined : later.record;
  if (source === undefined) return { record: base, exist, changedBefore, areKnown: false };
  return { record: { ...base, [PARTS]: source[PARTS] }, exist, changedBefore, areKnown: true };
}

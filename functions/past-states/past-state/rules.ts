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

/** Events that are about a record as a whole; others only change parts of it. */
const isWhole = ({ name }: RecordEvent): boolean =>
  /\.(created|updated|deleted)$/.test(name) && !name.startsWith('organization_domain.');

const isEnd = ({ name }: RecordEvent): boolean => name.endsWith('.deleted');

/**
 * Computes the state of a record at a moment. It is the state in the last event before the moment. Without such an event it
 * is the state in the first event after the moment with its change undone, and without any event the current record.
 * @param before The events up to the moment, the newest first.
 * @param after Those after it, the oldest first.
 * @param silent Members that change without an event about the record.
 */
export function computeState(
  {
    before,
    after,
    current,
  }: { before: readonly RecordEvent[]; after: readonly RecordEvent[]; current: Snapshot | undefined },
  silent: readonly string[],
): PastState {
  const last = before.find(isWhole);
  if (last !== undefined) {
    if (isEnd(last)) return { record: undefined, event: last, unknown: [] };
    const parts = before.slice(0, before.indexOf(last)).flatMap(readPart);
    return { record: last.data, event: last, unknown: withoutDoubles([...silent, ...parts]) };
  }
  const next = after.find(isWhole);
  const parts = [...before, ...after.slice(0, next === undefined ? undefined : after.indexOf(next))].flatMap(readPart);
  if (next === undefined) return { record: current, event: undefined, unknown: withoutDoubles([...silent, ...parts]) };
  if (next.name.endsWith('.created')) return { record: undefined, event: next, unknown: [] };
  // A deletion changes no member, and an update does not say when the one before it was.
  const lost = isEnd(next) ? [] : ['updated_at'];
  return {
    record: { ...next.data, ...next.previous },
    event: next,
    unknown: withoutDoubles([...silent, ...parts, ...lost]),
  };
}

/** The member of an organization that an event about one of its domains changes. */
const readPart = ({ name }: RecordEvent): string[] => (name.startsWith('organization_domain.') ? ['domains'] : []);

const withoutDoubles = (names: readonly string[]): string[] => [...new Set(names)];

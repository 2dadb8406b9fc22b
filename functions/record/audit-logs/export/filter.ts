import type { EvidenceRow } from '../evidence/row.ts';

/** Selects the events of a range for an export: an event must match one item of every list that is given. */
export interface ExportFilter {
  actions?: readonly string[] | undefined;
  actorNames?: readonly string[] | undefined;
  actorIds?: readonly string[] | undefined;
  /** Types or ids of targets: an event matches by any of its targets. */
  targets?: readonly string[] | undefined;
}

interface Actor {
  id: string;
  name?: string;
}

interface Target {
  id: string;
  type: string;
}

/** Reports whether there is any filter. */
export const isFiltered = (filter: ExportFilter): boolean => Object.values(filter).some((list) => list !== undefined);

/** Decides whether a row belongs to an export; texts are compared exactly. */
export function rowFilter(
  range: { start: string; end: string },
  { actions, actorNames, actorIds, targets }: ExportFilter,
): (row: EvidenceRow) => boolean {
  const sets = { actions: toSet(actions), names: toSet(actorNames), ids: toSet(actorIds), targets: toSet(targets) };
  const meetsActor = (text: string): boolean => {
    if (sets.names === undefined && sets.ids === undefined) return true;
    const { id, name } = JSON.parse(text) as Actor;
    return (sets.ids?.has(id) ?? true) && (sets.names === undefined || (name !== undefined && sets.names.has(name)));
  };
  const meetsTarget = (text: string): boolean => {
    const wanted = sets.targets;
    return (
      wanted === undefined || (JSON.parse(text) as Target[]).some(({ id, type }) => wanted.has(type) || wanted.has(id))
    );
  };
  return (row) =>
    row.occurredAt >= range.start &&
    row.occurredAt < range.end &&
    (sets.actions?.has(row.action) ?? true) &&
    meetsActor(row.actor) &&
    meetsTarget(row.targets);
}

const toSet = (list: readonly string[] | undefined): ReadonlySet<string> | undefined => list && new Set(list);

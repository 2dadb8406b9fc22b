/** A range of a list sorted by id. */
export interface Window {
  /** The order in which the ids are read. */
  scan: 'asc' | 'desc';
  /** Starts after this id, which need not exist; from the end of the list if absent. */
  after?: string;
  limit: number;
}

export const listIds = (records: readonly { id: string }[]): string[] => records.map(({ id }) => id);

/** Selects the ids of a range, in its direction. */
export const idsWithin = (ids: readonly string[], window: Window): string[] =>
  recordsWithin(
    ids.map((id) => ({ id })),
    window,
  ).map(({ id }) => id);

/** Selects the records of a range, in its direction. */
export function recordsWithin<T extends { id: string }>(records: readonly T[], { scan, after, limit }: Window): T[] {
  const sorted = records.toSorted((one, other) => (one.id < other.id ? -1 : 1));
  if (scan === 'desc') sorted.reverse();
  const isBeyond = ({ id }: T) => after === undefined || (scan === 'asc' ? id > after : id < after);
  return sorted.filter(isBeyond).slice(0, limit);
}

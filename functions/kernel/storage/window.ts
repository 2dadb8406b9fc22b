/** A stretch of a list sorted by id. */
export interface Window {
  /** The direction in which ids are walked. */
  scan: 'asc' | 'desc';
  /** Starts beyond this id, which need not exist; from the end of the list when absent. */
  beyond?: string;
  limit: number;
}

/** Those of some ids that a window shows, in its direction. */
export const idsWithin = (ids: readonly string[], window: Window): string[] =>
  recordsWithin(
    ids.map((id) => ({ id })),
    window,
  ).map(({ id }) => id);

/** Those of some records that a window shows, in its direction. */
export function recordsWithin<T extends { id: string }>(records: readonly T[], { scan, beyond, limit }: Window): T[] {
  const sorted = records.toSorted((one, other) => (one.id < other.id ? -1 : 1));
  if (scan === 'desc') sorted.reverse();
  const isBeyond = ({ id }: T) => beyond === undefined || (scan === 'asc' ? id > beyond : id < beyond);
  return sorted.filter(isBeyond).slice(0, limit);
}

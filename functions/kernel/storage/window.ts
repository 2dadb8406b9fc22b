/** A stretch of a list sorted by id. */
export interface Window {
  /** The direction in which ids are walked. */
  scan: 'asc' | 'desc';
  /** Starts beyond this id, which need not exist; from the end of the list when absent. */
  beyond?: string;
  limit: number;
}

/** Those of some ids that a window shows, in its direction. */
export function idsWithin(ids: readonly string[], { scan, beyond, limit }: Window): string[] {
  const sorted = ids.toSorted();
  if (scan === 'desc') sorted.reverse();
  const isBeyond = (id: string) => beyond === undefined || (scan === 'asc' ? id > beyond : id < beyond);
  return sorted.filter(isBeyond).slice(0, limit);
}

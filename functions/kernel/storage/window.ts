/** A stretch of a list sorted by id. */
export interface Window {
  /** The direction in which ids are walked. */
  scan: 'asc' | 'desc';
  /** Starts beyond this id, which need not exist; from the end of the list when absent. */
  beyond?: string;
  limit: number;
}

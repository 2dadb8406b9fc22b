/** The most records of one act on many. */
export const MOST_LINES = 100;

/** The outcome of a line: `left_out` for one that the dry run rejected. */
export type Result = { state: 'done' | 'rejected' | 'unknown' | 'left_out'; text: string };

/** The result of the dry run of a line: `unchecked` if the operation has no dry run. */
export type Check = { state: 'possible' | 'rejected' | 'unchecked'; text: string };

/** One record of an act on many. */
export interface Line {
  /** The id of the record; empty for an address that names none. */
  id: string;
  /** The name by which the operator chose it. */
  label: string;
  check?: Check;
  result?: Result;
  /** True from before the call is made until its result is stored: whether it was made is not known. */
  isSent?: boolean;
  /** The number of calls that were made for the line. */
  tries?: number;
}

/** The state of an act on many records. */
export interface Bulk {
  /** The name of the act. */
  act: string;
  lines: Line[];
  /** The reason of the operator; present once the act is confirmed. */
  reason?: string;
  /** The time until which a request works on it, in milliseconds since the epoch. */
  busyUntil?: number;
  /** The reason why it waits for the operator, such as a limit. */
  paused?: string;
}

/** The steps of an act on many records. */
export type Phase = 'check' | 'confirm' | 'do' | 'done';

/** Finds the step of an act on many records. */
export function findPhase({ lines, reason }: Bulk): Phase {
  if (lines.some(({ check }) => check === undefined)) return 'check';
  if (reason === undefined) return 'confirm';
  return lines.some(({ result }) => result === undefined) ? 'do' : 'done';
}

/** The lines that the act is done for: all that the dry run did not reject. */
export const listPossible = ({ lines }: Bulk): Line[] => lines.filter(({ check }) => check?.state !== 'rejected');

/** The state after the operator confirmed it: lines that the dry run rejected are left out. */
export const confirm = (bulk: Bulk, reason: string): Bulk => ({
  ...bulk,
  reason,
  lines: bulk.lines.map((line) =>
    line.check?.state === 'rejected' ? { ...line, result: { state: 'left_out', text: line.check.text } } : line,
  ),
});

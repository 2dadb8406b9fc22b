/** What a check of an export may find. */
export type FindingKind =
  /** A row's texts are not those that were recorded. */
  | 'changed'
  /** A recorded row of the export is not in the file. */
  | 'removed'
  /** A row of the file was never recorded, or stands in it twice. */
  | 'added'
  /** A recorded row stands in another place than its own. */
  | 'reordered'
  /** The file ends before its rows do. */
  | 'truncated'
  /** A signature, a root or the chain of seals is not right: the proof itself was altered. */
  | 'proof'
  /** The file is no export: other columns, broken quotes. */
  | 'format';

/** One thing that is wrong, and where. */
export interface Finding {
  kind: FindingKind;
  /** A sentence that names the row: by its line and id where the file has it, else by its place and its neighbour. */
  message: string;
}

/** Findings kept; beyond, they are counted. */
const MOST = 1_000;

/** Collects findings. */
export class Findings {
  readonly list: Finding[] = [];
  count = 0;

  add(kind: FindingKind, message: string): void {
    this.count += 1;
    if (this.list.length < MOST) this.list.push({ kind, message });
  }
}

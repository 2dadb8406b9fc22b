/** The kinds of findings of an export check. */
export type FindingKind =
  /** The texts of a row differ from the recorded ones. */
  | 'changed'
  /** A recorded row of the export is not in the file. */
  | 'removed'
  /** A row of the file was never recorded, or appears in it twice. */
  | 'added'
  /** A recorded row is at another position. */
  | 'reordered'
  /** The file ends before its last row. */
  | 'truncated'
  /** A signature, a root or the chain of seals is invalid: the proof itself was altered. */
  | 'proof'
  /** The file is not an export: wrong columns or broken quotes. */
  | 'format';

/** A difference between an export and its seals, with its position in the export. */
export interface Finding {
  kind: FindingKind;
  /**
   * A sentence that identifies the row: by its line and id if the file has it, otherwise by its position and the row next to
   * it.
   */
  message: string;
}

/** Maximum number of listed findings; further ones are only counted. */
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

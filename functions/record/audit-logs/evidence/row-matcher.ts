import type { CsvRecord } from '../../../kernel/csv.ts';
import type { Findings } from './findings.ts';
import { COLUMNS, hashLeaf, makeRow } from './row.ts';

/** A leaf of a segment, with a flag whether it is a row of the export. */
interface Leaf {
  hash: Buffer;
  isKept: boolean;
}

/** A row of the file with the position that it states. */
interface ClaimedRow {
  line: number;
  id: string;
  segment: string;
  position: number;
  leaf: Buffer | undefined;
}

/** Consecutive rows that are missing in the file. */
interface Gap {
  segment: string;
  from: number;
  count: number;
}

const nameOf = ({ line, id }: ClaimedRow): string => `the row of line ${line} (${id || 'without an id'})`;

/**
 * Compares the rows of a file with the leaves of its segments, one segment at a time. Each row states its position, and the
 * leaf at that position decides whether the row is genuine.
 */
export class RowMatcher {
  /** Rows read so far. */
  rows = 0;
  readonly #records: AsyncIterator<CsvRecord, undefined>;
  readonly #order: ReadonlyMap<string, number>;
  readonly #organizationId: string;
  readonly #findings: Findings;
  /** The current row; undefined at the end of the file. */
  #row: ClaimedRow | undefined;
  #isStarted = false;
  #last = 'the head of the file';
  /** Missing rows since the last genuine one. If no row follows, the end of the file was removed. */
  #gaps: Gap[] = [];
  /** Rows of the segment that came earlier than expected, by their position. */
  readonly #jumps = new Map<number, string>();

  constructor(
    records: AsyncIterator<CsvRecord, undefined>,
    portions: readonly string[],
    organizationId: string,
    found: Findings,
  ) {
    this.#records = records;
    this.#order = new Map(portions.map((name, at) => [name, at]));
    this.#organizationId = organizationId;
    this.#findings = found;
  }

  /** Processes the rows of a segment. */
  async portion(name: string, leaves: readonly Leaf[]): Promise<void> {
    if (!this.#isStarted) await this.#next();
    this.#isStarted = true;
    const seen = new Uint8Array(leaves.length);
    const own = this.#order.get(name) ?? 0;
    let expected = 0;
    while (this.#row !== undefined) {
      const row = this.#row;
      const order = this.#order.get(row.segment);
      if (order !== undefined && order > own) break;
      if (order === own) expected = this.#place(row, leaves, seen, expected);
      else this.#outOfPlace(row, order);
      await this.#next();
    }
    this.#reportMissing(name, leaves, seen);
  }

  /** Processes the end of the file, after the last segment: rows missing there were removed from the end. */
  async finish(): Promise<void> {
    if (!this.#isStarted) await this.#next();
    for (; this.#row !== undefined; await this.#next()) this.#outOfPlace(this.#row, undefined);
    const missing = this.#gaps.reduce((sum, { count }) => sum + count, 0);
    const [first] = this.#gaps;
    if (first === undefined) return;
    this.#findings.add(
      'truncated',
      `The file ends after ${this.#last}: ${missing} rows are missing, from position ${first.from} of segment ${first.segment} on.`,
    );
  }

  /**
   * Compares a row with the leaf at its position.
   * @returns the next expected position
   */
  #place(row: ClaimedRow, leaves: readonly Leaf[], seen: Uint8Array, expected: number): number {
    const { position, leaf } = row;
    const there = leaves[position];
    if (there === undefined || !there.isKept || seen[position] === 1) {
      this.#closeGaps();
      const why = there === undefined || !there.isKept ? 'no row of the export has its place' : 'its place is taken';
      this.#findings.add('added', `Added: ${nameOf(row)}; ${why}.`);
      return expected;
    }
    seen[position] = 1;
    const isGenuine = leaf?.equals(there.hash) ?? false;
    if (!isGenuine) this.#findings.add('changed', `Changed: ${nameOf(row)} is not what was recorded.`);
    if (position < expected) {
      this.#findings.add('reordered', `Reordered: ${nameOf(row)} belongs before the row in front of it.`);
      return expected;
    }
    if (position > expected) this.#jumps.set(position, nameOf(row));
    return position + 1;
  }

  #outOfPlace(row: ClaimedRow, order: number | undefined): void {
    this.#closeGaps();
    if (order === undefined) this.#findings.add('added', `Added: ${nameOf(row)} belongs to no segment of the export.`);
    else this.#findings.add('reordered', `Reordered: ${nameOf(row)} belongs to segment ${row.segment}, further up.`);
  }

  #reportMissing(name: string, leaves: readonly Leaf[], seen: Uint8Array): void {
    const lastSeen = seen.lastIndexOf(1);
    const gaps = findGaps(name, leaves, seen);
    this.#gaps.push(...gaps.filter(({ from }) => from < lastSeen));
    if (lastSeen >= 0) this.#closeGaps();
    this.#gaps.push(...gaps.filter(({ from }) => from > lastSeen));
    this.#jumps.clear();
  }

  /** Reports the missing rows that other rows follow: they were removed from the middle of the file. */
  #closeGaps(): void {
    for (const { segment, from, count } of this.#gaps) {
      const what = count === 1 ? `the row at position ${from}` : `${count} rows from position ${from} on`;
      const next = this.#jumps.get(from + count);
      this.#findings.add(
        'removed',
        `Removed: ${what} of segment ${segment}${next === undefined ? '' : `, before ${next}`}.`,
      );
    }
    this.#gaps = [];
  }

  async #next(): Promise<void> {
    if (this.#row !== undefined) this.#last = nameOf(this.#row);
    const { value, done } = await this.#records.next();
    this.#row = done === true ? undefined : this.#claim(value);
    if (this.#row !== undefined) this.rows += 1;
  }

  #claim({ cells, line }: CsvRecord): ClaimedRow {
    const [id = ''] = cells;
    const [segment = '', position = ''] = cells.slice(COLUMNS.length - 2);
    const isWhole = cells.length === COLUMNS.length && /^\d{1,12}$/.test(position);
    return {
      line,
      id,
      segment,
      position: isWhole ? Number(position) : -1,
      leaf: isWhole ? hashLeaf(this.#organizationId, makeRow(cells.slice(0, -2))) : undefined,
    };
  }
}

/** The rows of a segment that the file does not contain. */
function findGaps(segment: string, leaves: readonly Leaf[], seen: Uint8Array): Gap[] {
  const gaps: Gap[] = [];
  let open: Gap | undefined;
  for (const [position, { isKept }] of leaves.entries()) {
    if (!isKept) continue;
    if (seen[position] === 1) {
      open = undefined;
    } else if (open === undefined) {
      open = { segment, from: position, count: 1 };
      gaps.push(open);
    } else {
      open.count += 1;
    }
  }
  return gaps;
}

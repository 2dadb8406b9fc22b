import { invalid, type Item } from './values.ts';

/** A change of a row, as a stream of new images has it. */
interface Change {
  event: 'INSERT' | 'MODIFY' | 'REMOVE';
  keys: Item;
  image: Item | undefined;
}

/** The one shard of every stream. */
export const SHARD = 'shardId-00000000000000000000-00000000';
/** Number of records that are kept; readers follow at once, so they need only the latest. */
const KEPT = 100_000;
const DIGITS = 21;

/** The records of a table's stream, the latest ones. Sequence numbers continue when the stream is emptied. */
export class Stream {
  readonly #changes: Change[] = [];
  /** The sequence number of the first record that is kept. */
  #first = 1;

  get #next(): number {
    return this.#first + this.#changes.length;
  }

  add(change: Change): void {
    this.#changes.push(change);
    if (this.#changes.length > 2 * KEPT) this.#drop(KEPT);
  }

  clear(): void {
    this.#drop(this.#changes.length);
  }

  #drop(count: number): void {
    this.#changes.splice(0, count);
    this.#first += count;
  }

  /** The iterator at a place. @throws TableError */
  iterator(type: string, sequence: string | undefined): string {
    if (type === 'LATEST') return String(this.#next);
    if (type === 'TRIM_HORIZON') return String(this.#first);
    if (type === 'AFTER_SEQUENCE_NUMBER' && sequence !== undefined) return String(Number(sequence) + 1);
    throw invalid(`The iterator type ${type} is not served`);
  }

  /** At most `limit` records from an iterator on, and the iterator after them. */
  read(iterator: string, limit: number): { Records: object[]; NextShardIterator: string } {
    const from = Math.max(Number(iterator), this.#first);
    const changes = this.#changes.slice(from - this.#first, from - this.#first + limit);
    return {
      Records: changes.map((change, at) => makeRecord(change, from + at)),
      NextShardIterator: String(from + changes.length),
    };
  }
}

function makeRecord({ event, keys, image }: Change, number: number): object {
  const SequenceNumber = String(number).padStart(DIGITS, '0');
  return {
    eventID: SequenceNumber,
    eventName: event,
    eventVersion: '1.1',
    eventSource: 'aws:dynamodb',
    dynamodb: { Keys: keys, ...(image && { NewImage: image }), SequenceNumber, StreamViewType: 'NEW_IMAGE' },
  };
}

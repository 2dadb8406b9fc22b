import type { DynamoDBRecord } from 'aws-lambda';

import { type Engine, callAws } from '../aws-call.ts';
import { AwsError } from '../aws-json.ts';

/** One record of the stream, in the engine's form. */
export type StreamRecord = DynamoDBRecord & { dynamodb: { SequenceNumber: string } };

/** The position of a reader in a shard. */
export interface Positions {
  get: (shard: string) => string | undefined;
  set: (shard: string, sequence: string) => unknown;
}

interface Description {
  StreamDescription: { Shards: { ShardId: string }[] };
}

const SHARDS_KNOWN_MS = 5_000;
const SKIPPED_AT_ONCE = 1_000;

/** Reads a table's stream from its stored position, shard by shard, in order. */
export class StreamReader {
  readonly #engine: Engine;
  readonly #arn: string;
  readonly #positions: Positions;
  readonly #iterators = new Map<string, string>();
  /** The last record of the newest batch, and the iterator after it. */
  #newest: { last?: string; next?: string | undefined } = {};
  #shards: { ids: readonly string[]; knownUntil: number } = { ids: [], knownUntil: 0 };

  private constructor(engine: Engine, arn: string, positions: Positions) {
    this.#engine = engine;
    this.#arn = arn;
    this.#positions = positions;
  }

  /** A reader of a table that has a stream; in shards without a position it begins with the oldest record. */
  static async open(engine: { streams: Engine } & Engine, table: string, positions: Positions): Promise<StreamReader> {
    const { Table } = await callAws<{ Table: { LatestStreamArn?: string } }>(engine, 'DescribeTable', {
      TableName: table,
    });
    if (Table.LatestStreamArn === undefined) throw new Error(`${table} has no stream`);
    return new StreamReader(engine.streams, Table.LatestStreamArn, positions);
  }

  /** Sets the position to the end, so that only records that are written later are read. */
  async skipToEnd(): Promise<void> {
    for (const ShardId of await this.#shardIds()) {
      await this.#askIterator({ ShardId, ShardIteratorType: 'LATEST' });
    }
  }

  /** The next records, at most `limit` of the first shard that has any; none if all were read. */
  async next(limit: number): Promise<{ shard: string; records: StreamRecord[] }> {
    for (const ShardId of await this.#shardIds()) {
      const ShardIterator = this.#iterators.get(ShardId) ?? (await this.#iteratorOf(ShardId));
      const { Records, NextShardIterator } = await this.#read(ShardIterator, limit);
      const last = Records.at(-1)?.dynamodb.SequenceNumber;
      if (last !== undefined) {
        this.#newest = { last, next: NextShardIterator };
        return { shard: ShardId, records: Records };
      }
      if (NextShardIterator !== undefined) this.#iterators.set(ShardId, NextShardIterator);
    }
    return { shard: '', records: [] };
  }

  /** Stores that everything that was written until now was processed. */
  async skipUnread(): Promise<void> {
    for (;;) {
      const { shard, records } = await this.next(SKIPPED_AT_ONCE);
      const last = records.at(-1);
      if (last === undefined) return;
      this.pass(shard, last.dynamodb.SequenceNumber);
    }
  }

  /** Stores that all records up to this one were processed, so that the next read starts after it. */
  pass(shard: string, sequence: string): void {
    this.#positions.set(shard, sequence);
    const { last, next } = this.#newest;
    if (next !== undefined && sequence === last) this.#iterators.set(shard, next);
    else this.#iterators.delete(shard);
  }

  /** Shards change over hours, and the local engine has only one, so the list is cached. */
  async #shardIds(): Promise<readonly string[]> {
    if (performance.now() > this.#shards.knownUntil) {
      const input = { StreamArn: this.#arn };
      const { StreamDescription } = await callAws<Description>(this.#engine, 'DescribeStream', input);
      const ids = StreamDescription.Shards.map(({ ShardId }) => ShardId);
      this.#shards = { ids, knownUntil: performance.now() + (ids.length > 0 ? SHARDS_KNOWN_MS : 0) };
    }
    return this.#shards.ids;
  }

  async #read(ShardIterator: string, Limit: number) {
    try {
      return await callAws<{ Records: StreamRecord[]; NextShardIterator?: string }>(this.#engine, 'GetRecords', {
        ShardIterator,
        Limit,
      });
    } catch (error) {
      if (!(error instanceof AwsError) || error.type !== 'ExpiredIteratorException') throw error;
      this.#iterators.clear();
      return { Records: [] };
    }
  }

  async #iteratorOf(shard: string): Promise<string> {
    const SequenceNumber = this.#positions.get(shard);
    const place =
      SequenceNumber === undefined
        ? { ShardIteratorType: 'TRIM_HORIZON' }
        : { ShardIteratorType: 'AFTER_SEQUENCE_NUMBER', SequenceNumber };
    try {
      return await this.#askIterator({ ShardId: shard, ...place });
    } catch (error) {
      if (!(error instanceof AwsError) || error.type !== 'TrimmedDataAccessException') throw error;
      return this.#askIterator({ ShardId: shard, ShardIteratorType: 'TRIM_HORIZON' });
    }
  }

  async #askIterator(place: object): Promise<string> {
    const { ShardIterator } = await callAws<{ ShardIterator: string }>(this.#engine, 'GetShardIterator', {
      StreamArn: this.#arn,
      ...place,
    });
    this.#iterators.set((place as { ShardId: string }).ShardId, ShardIterator);
    return ShardIterator;
  }
}

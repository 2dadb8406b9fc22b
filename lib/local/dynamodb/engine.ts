import { hash } from 'node:crypto';

import { AwsError } from '../aws-json.ts';
import { type Database, transaction } from '../database.ts';
import type { TableEngine } from '../table/engine.ts';
import { type Definition, describe, type NewTable, readDefinition } from './definition.ts';
import { limits } from './limits.ts';
import {
  type BatchGetRequest,
  get,
  getBatch,
  query,
  type ReadRequest,
  scan,
  transactGet,
  type TransactGetRequest,
} from './reads.ts';
import { SHARD, type Stream } from './stream.ts';
import { Table } from './table.ts';
import { invalid, TableError } from './values.ts';
import {
  type BatchWriteRequest,
  transact,
  type TransactRequest,
  write,
  writeBatch,
  type WriteRequest,
} from './writes.ts';

/** The tables' definitions. */
export const CATALOG =
  'CREATE TABLE IF NOT EXISTS definitions (name TEXT PRIMARY KEY, definition TEXT NOT NULL) STRICT;';

/** Bytes of unused pages that a reset leaves in the file for later rows; more are returned to the disk. */
const UNUSED_BYTES = 64 * 1_024 * 1_024;

/**
 * DynamoDB within this process, over a SQLite database in a file or in memory: its responses, errors, limits and streams. It serves the
 * operations that the functions and the runtime use. A write is in the file when its response is there, so `kill -9` loses none.
 * `npm run counterparts -- tables` compares it with another implementation by random calls.
 */
export class LocalTables {
  readonly #database: Database;
  readonly #isInFile: boolean;
  readonly #tables = new Map<string, Table>();
  /** The hashes of transactions by their tokens. */
  readonly #transactions = new Map<string, { content: string; at: number }>();

  /** @param database has the {@link CATALOG} */
  constructor(database: Database, isInFile: boolean) {
    this.#database = database;
    this.#isInFile = isInFile;
    for (const { definition } of database.prepare('SELECT definition FROM definitions').all()) {
      this.#open(JSON.parse(String(definition)) as Definition);
    }
    for (const { stream } of this.#tables.values()) stream?.trim();
  }

  /** This engine, as the runtime uses engines. */
  engine(): TableEngine {
    const run = (operation: string, input: object): object => this.run(operation, input);
    const api = { url: 'in-process:', version: '1.0', run } as const;
    return {
      ...api,
      service: 'DynamoDB_20120810',
      streams: { ...api, service: 'DynamoDBStreams_20120810' },
      expire: (name, seconds) => this.expire(name, seconds),
      stop: async () => this.#database.close(),
    };
  }

  /** Empties all tables. */
  clear(): void {
    transaction(this.#database, () => {
      for (const table of this.#tables.values()) table.clear();
    });
    this.#transactions.clear();
    const read = (pragma: string): number =>
      Number(Object.values(this.#database.prepare(`PRAGMA ${pragma}`).get() ?? {})[0]);
    if (read('freelist_count') * read('page_size') < UNUSED_BYTES) return;
    this.#database.exec('VACUUM; PRAGMA wal_checkpoint(TRUNCATE);');
  }

  /**
   * Removes rows of a table whose time has passed, as DynamoDB's TTL does, and old records of its stream.
   * @param seconds the time since the epoch
   * @returns the number of removed rows; it is small enough not to delay calls, and a further call removes more until there are none
   */
  expire(name: string, seconds: number): number {
    const table = this.#find(name);
    table.stream?.trim();
    const rows = table.rows.expired(seconds);
    if (rows.length > 0) {
      transaction(this.#database, () => {
        for (const row of rows) table.remove(row, true);
      });
    }
    return rows.length;
  }

  /** Carries out an operation. @throws AwsError */
  run(operation: string, input: object): object {
    const run = Object.hasOwn(this.#operations, operation) ? this.#operations[operation] : undefined;
    if (run === undefined) {
      throw new AwsError('UnknownOperationException', `The local table engine does not serve ${operation}.`);
    }
    return run(input as never);
  }

  readonly #named = (name: string): Table => this.#find(name);

  /** The operations, each with its own members in the input. */
  readonly #operations: Readonly<Record<string, (input: never) => object>> = {
    GetItem: (input: ReadRequest) => get(this.#find(input.TableName), input),
    BatchGetItem: (input: BatchGetRequest) => getBatch(this.#named, input),
    TransactGetItems: (input: TransactGetRequest) => transactGet(this.#named, input),
    Query: (input: ReadRequest) => query(this.#find(input.TableName), input),
    Scan: (input: ReadRequest) => scan(this.#find(input.TableName), input),
    PutItem: (input: WriteRequest) => write(this.#database, this.#find(input.TableName), 'Put', input),
    UpdateItem: (input: WriteRequest) => write(this.#database, this.#find(input.TableName), 'Update', input),
    DeleteItem: (input: WriteRequest) => write(this.#database, this.#find(input.TableName), 'Delete', input),
    BatchWriteItem: (input: BatchWriteRequest) => writeBatch(this.#database, this.#named, input),
    TransactWriteItems: (input: TransactRequest) => this.#transact(input),
    CreateTable: (input: NewTable) => this.#create(input),
    DeleteTable: ({ TableName }: { TableName: string }) => this.#drop(this.#find(TableName)),
    UpdateTimeToLive: (input: TimeToLive) => this.#setExpiry(this.#find(input.TableName), input),
    DescribeTable: ({ TableName }: { TableName: string }) => ({ Table: describe(this.#find(TableName).definition) }),
    ListTables: () => ({ TableNames: [...this.#tables.keys()].sort() }),
    DescribeStream: () => ({ StreamDescription: { Shards: [{ ShardId: SHARD }] } }),
    GetShardIterator: (input: { StreamArn: string; ShardIteratorType: string; SequenceNumber?: string }) => {
      const at = this.#findStream(input.StreamArn).iterator(input.ShardIteratorType, input.SequenceNumber);
      return { ShardIterator: `${at}|${input.StreamArn}` };
    },
    GetRecords: ({ ShardIterator, Limit = limits.streamRecords }: { ShardIterator: string; Limit?: number }) => {
      const [at = '', name = ''] = ShardIterator.split('|');
      const { Records, NextShardIterator } = this.#findStream(name).read(at, Limit);
      return { Records, NextShardIterator: `${NextShardIterator}|${name}` };
    },
  };

  #find(name: string): Table {
    const table = this.#tables.get(name);
    if (table === undefined) throw new TableError('ResourceNotFoundException', 'Requested resource not found');
    return table;
  }

  #findStream(name: string): Stream {
    const { stream } = this.#find(name);
    if (stream === undefined) throw new TableError('ResourceNotFoundException', 'Requested resource not found');
    return stream;
  }

  #open(definition: Definition): void {
    this.#tables.set(definition.name, new Table(this.#database, definition, this.#isInFile));
  }

  #create(request: NewTable): object {
    const definition = readDefinition(request);
    if (this.#tables.has(definition.name)) {
      throw new TableError('ResourceInUseException', `Table already exists: ${definition.name}`);
    }
    this.#save(definition);
    this.#open(definition);
    return { TableDescription: describe(definition) };
  }

  #save(definition: Definition): void {
    this.#database
      .prepare('INSERT OR REPLACE INTO definitions VALUES (?, ?)')
      .run(definition.name, JSON.stringify(definition));
  }

  #drop(table: Table): object {
    transaction(this.#database, () => {
      table.drop();
      this.#database.prepare('DELETE FROM definitions WHERE name = ?').run(table.name);
    });
    this.#tables.delete(table.name);
    return { TableDescription: describe(table.definition) };
  }

  #setExpiry(table: Table, { TimeToLiveSpecification }: TimeToLive): object {
    const { AttributeName, Enabled } = TimeToLiveSpecification;
    const { ttl, ...others } = table.definition;
    if ((Enabled ? AttributeName : undefined) === ttl) return { TimeToLiveSpecification };
    const definition = { ...others, ...(Enabled && { ttl: AttributeName }) };
    transaction(this.#database, () => {
      table.rows.expireBy(definition.ttl);
      this.#save(definition);
    });
    this.#open(definition);
    return { TimeToLiveSpecification };
  }

  /** Carries out a transaction; one that succeeded before under the same token succeeds without an effect. */
  #transact(request: TransactRequest): object {
    const { TransactItems, ClientRequestToken: token } = request;
    if (token === undefined) return transact(this.#database, this.#named, request);
    if (token.length > limits.tokenLength) {
      throw invalid(
        `1 validation error detected: Value '${token}' at 'clientRequestToken' failed to satisfy constraint: Member must have length less than or equal to ${limits.tokenLength}`,
      );
    }
    const content = hash('sha256', JSON.stringify(TransactItems));
    const at = performance.now();
    for (const [former, known] of this.#transactions) {
      if (at - known.at < limits.tokenMs) break;
      this.#transactions.delete(former);
    }
    const known = this.#transactions.get(token);
    if (known !== undefined && known.content !== content) {
      throw new TableError(
        'IdempotentParameterMismatchException',
        'The request uses the same client token with other content',
      );
    }
    if (known !== undefined) return {};
    const done = transact(this.#database, this.#named, request);
    this.#transactions.set(token, { content, at });
    return done;
  }
}

/** The request of UpdateTimeToLive. */
interface TimeToLive {
  TableName: string;
  TimeToLiveSpecification: { AttributeName: string; Enabled: boolean };
}

/** Carries out a client's call. @returns the response with its status, an error included */
export function runOperation(
  run: (operation: string, input: object) => object,
  operation: string,
  input: object,
): { status: number; body: Record<string, unknown> } {
  try {
    return { status: 200, body: run(operation, input) as Record<string, unknown> };
  } catch (error) {
    const known = error instanceof AwsError ? error : new AwsError('InternalServerError', String(error), 500);
    const members = error instanceof TableError ? error.members : {};
    const __type = `com.amazonaws.dynamodb.v20120810#${known.type}`;
    return { status: known.status, body: { __type, message: known.message, ...members } };
  }
}

import { hash } from 'node:crypto';

import { AwsError } from '../aws-json.ts';
import type { TableEngine } from '../table/engine.ts';
import { type BatchKeys, get, getBatch, query, type ReadRequest, scan } from './reads.ts';
import { SHARD } from './stream.ts';
import { MemoryTable } from './table.ts';
import { TableError } from './values.ts';
import { type BatchEntry, transact, type TransactEntry, write, writeBatch, type WriteRequest } from './writes.ts';

/** The time in ms for which a transaction is known by its token. */
const TOKEN_MS = 10 * 60_000;

/** Maximum records of one read of a stream. */
const MAX_RECORDS = 1_000;

/** The request of TransactWriteItems. */
interface Transaction {
  TransactItems: readonly TransactEntry[];
  ClientRequestToken?: string;
}

interface KeySchema {
  KeySchema: readonly { AttributeName: string; KeyType: string }[];
}

/** The request of CreateTable. */
interface NewTable extends KeySchema {
  TableName: string;
  GlobalSecondaryIndexes?: readonly ({
    IndexName: string;
    Projection: { ProjectionType: string; NonKeyAttributes?: string[] };
  } & KeySchema)[];
  StreamSpecification?: { StreamEnabled: boolean };
}

/**
 * DynamoDB in this process's memory, for a service that keeps nothing: no call leaves the process, a reset empties maps, and
 * the time of a write does not grow with the number of rows. It serves the operations that the functions and the runtime
 * use, with DynamoDB's validation; `test/local/memory-table.test.ts` compares it with the engine that has a file.
 */
export class MemoryTables {
  readonly #tables = new Map<string, MemoryTable>();
  /** The hashes of transactions by their tokens. */
  readonly #transactions = new Map<string, { content: string; at: number }>();

  /** This engine, as the runtime uses engines. */
  engine(): TableEngine {
    const run = (operation: string, input: object): object => this.run(operation, input);
    const api = { url: 'memory:', version: '1.0', run } as const;
    return {
      ...api,
      service: 'DynamoDB_20120810',
      streams: { ...api, service: 'DynamoDBStreams_20120810' },
      stop: async () => this.#tables.clear(),
    };
  }

  /** Empties the tables that `isWanted` selects by their names. */
  clear(isWanted: (name: string) => boolean): void {
    for (const [name, table] of this.#tables) if (isWanted(name)) table.clear();
    this.#transactions.clear();
  }

  /** Carries out an operation. @throws AwsError */
  run(operation: string, input: object): object {
    const run = Object.hasOwn(this.#operations, operation) ? this.#operations[operation] : undefined;
    if (run === undefined) {
      throw new AwsError('UnknownOperationException', `The engine in memory does not serve ${operation}.`);
    }
    return run(input as never);
  }

  /** The operations, each with its own members in the input. */
  readonly #operations: Readonly<Record<string, (input: never) => object>> = {
    GetItem: (input: ReadRequest) => get(this.#find(input.TableName), input),
    BatchGetItem: (input: { RequestItems: Record<string, BatchKeys> }) =>
      getBatch((name) => this.#find(name), input.RequestItems),
    Query: (input: ReadRequest) => query(this.#find(input.TableName), input),
    Scan: (input: ReadRequest) => scan(this.#find(input.TableName), input),
    PutItem: (input: WriteRequest) => write(this.#find(input.TableName), 'Put', input),
    UpdateItem: (input: WriteRequest) => write(this.#find(input.TableName), 'Update', input),
    DeleteItem: (input: WriteRequest) => write(this.#find(input.TableName), 'Delete', input),
    BatchWriteItem: (input: { RequestItems: Record<string, BatchEntry[]> }) =>
      writeBatch((name) => this.#find(name), input.RequestItems),
    TransactWriteItems: (input: Transaction) => this.#transact(input),
    CreateTable: (input: NewTable) => this.#create(input),
    DeleteTable: ({ TableName }: { TableName: string }) => {
      this.#find(TableName);
      this.#tables.delete(TableName);
      return {};
    },
    DescribeTable: ({ TableName }: { TableName: string }) => {
      const { stream } = this.#find(TableName);
      return { Table: { TableName, TableStatus: 'ACTIVE', ...(stream && { LatestStreamArn: TableName }) } };
    },
    ListTables: () => ({ TableNames: [...this.#tables.keys()].sort() }),
    DescribeStream: () => ({ StreamDescription: { Shards: [{ ShardId: SHARD }] } }),
    GetShardIterator: (input: { StreamArn: string; ShardIteratorType: string; SequenceNumber?: string }) => {
      const at = this.#findStream(input.StreamArn).iterator(input.ShardIteratorType, input.SequenceNumber);
      return { ShardIterator: `${at}|${input.StreamArn}` };
    },
    GetRecords: ({ ShardIterator, Limit = MAX_RECORDS }: { ShardIterator: string; Limit?: number }) => {
      const [at = '', name = ''] = ShardIterator.split('|');
      const { Records, NextShardIterator } = this.#findStream(name).read(at, Limit);
      return { Records, NextShardIterator: `${NextShardIterator}|${name}` };
    },
  };

  #find(name: string): MemoryTable {
    const table = this.#tables.get(name);
    if (table === undefined) throw new TableError('ResourceNotFoundException', 'Requested resource not found');
    return table;
  }

  #findStream(name: string) {
    const { stream } = this.#find(name);
    if (stream === undefined) throw new TableError('ResourceNotFoundException', 'Requested resource not found');
    return stream;
  }

  #create({ TableName, KeySchema, GlobalSecondaryIndexes = [], StreamSpecification }: NewTable): object {
    if (this.#tables.has(TableName)) {
      throw new TableError('ResourceInUseException', `Table already exists: ${TableName}`);
    }
    const table = new MemoryTable({
      name: TableName,
      keys: readKeys({ KeySchema }),
      indexes: GlobalSecondaryIndexes.map(({ IndexName, Projection, ...schema }) => ({
        name: IndexName,
        keys: readKeys(schema),
        attributes: Projection.ProjectionType === 'ALL' ? undefined : (Projection.NonKeyAttributes ?? []),
      })),
      hasStream: StreamSpecification?.StreamEnabled === true,
    });
    this.#tables.set(TableName, table);
    return { TableDescription: { TableName, TableStatus: 'ACTIVE' } };
  }

  /** Carries out a transaction; one that succeeded before under the same token succeeds without an effect. */
  #transact({ TransactItems, ClientRequestToken }: Transaction): object {
    const named = (name: string): MemoryTable => this.#find(name);
    if (ClientRequestToken === undefined) return transact(named, TransactItems);
    const content = hash('sha256', JSON.stringify(TransactItems));
    const at = performance.now();
    for (const [token, known] of this.#transactions) {
      if (at - known.at < TOKEN_MS) break;
      this.#transactions.delete(token);
    }
    const known = this.#transactions.get(ClientRequestToken);
    if (known !== undefined && known.content !== content) {
      throw new TableError(
        'IdempotentParameterMismatchException',
        'The request uses the same client token with other content',
      );
    }
    if (known !== undefined) return {};
    const done = transact(named, TransactItems);
    this.#transactions.set(ClientRequestToken, { content, at });
    return done;
  }
}

function readKeys({ KeySchema }: KeySchema): { hash: string; range: string } {
  const name = (type: string): string => KeySchema.find(({ KeyType }) => KeyType === type)?.AttributeName ?? '';
  return { hash: name('HASH'), range: name('RANGE') };
}

/** Carries out a client's call. @returns the response with its status, an error included */
export function runInMemory(
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

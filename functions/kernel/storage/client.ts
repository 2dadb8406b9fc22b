import { awsClient, type AwsClient } from '../aws/call.ts';
import { closeConnections } from '../aws/transport.ts';
import {
  BatchGetCommand,
  BatchWriteCommand,
  type Command,
  DeleteCommand,
  GetCommand,
  PutCommand,
  QueryCommand,
  UpdateCommand,
} from './commands.ts';

/** The service of the table, for clients of its protocol. */
export const DYNAMODB = {
  variable: 'DYNAMODB',
  name: 'dynamodb',
  target: 'DynamoDB_20120810',
  contentType: 'application/x-amz-json-1.0',
} as const;

/** A client of DynamoDB. */
export interface TableClient {
  /** Sends a command. @throws AwsCallError with DynamoDB's name of the error */
  send: <Output>(command: Command<object, Output>, options?: { abortSignal?: AbortSignal }) => Promise<Output>;
}

let client: TableClient | undefined;

/**
 * The one DynamoDB client of this process. It makes two attempts for each call: the caller retries whole requests, and more
 * attempts do not help a throttled table.
 */
export function tableClient(): TableClient {
  client ??= makeClient(awsClient({ service: DYNAMODB, maxAttempts: 2 }));
  return client;
}

const makeClient = (call: AwsClient): TableClient => ({
  send: async (command, options) => command.decode(await call(command.operation, command.encode(), options)),
});

/** Closes and discards the connections, for a runtime whose table has moved. */
export function closeTableClient(): void {
  closeConnections();
  client = undefined;
}

/** A call that ElectroDB starts by `promise`; nothing aborts one. */
const pending = (command: Command<object, unknown>) => ({
  promise: () => tableClient().send(command),
  abort: () => undefined,
});

function unused(): never {
  throw new Error('Entities send no such command: transactions are units of work, and there is no scan.');
}

/** The client in the form of a document client of the SDK's version 2, of which ElectroDB only needs the methods. */
export const entityClient = {
  get: (input: GetCommand['input']) => pending(new GetCommand(input)),
  put: (input: PutCommand['input']) => pending(new PutCommand(input)),
  update: (input: UpdateCommand['input']) => pending(new UpdateCommand(input)),
  delete: (input: DeleteCommand['input']) => pending(new DeleteCommand(input)),
  query: (input: QueryCommand['input']) => pending(new QueryCommand(input)),
  batchGet: (input: BatchGetCommand['input']) => pending(new BatchGetCommand(input)),
  batchWrite: (input: BatchWriteCommand['input']) => pending(new BatchWriteCommand(input)),
  scan: unused,
  createSet: unused,
  transactWrite: unused,
  transactGet: unused,
};

import { randomUUID } from 'node:crypto';

import { type DynamoDBDocumentClient, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';

import type { HandlerFactory } from '../../functions/kernel/aws-requests.ts';
import { type Endpoints, inProcessHandlers } from './in-process-handler.ts';
import { type Attempt, type CarryOut, carryOutInTurn, withFirstAttempt } from './in-process-call.ts';

/** The operations of DynamoDB by the names of the document client's commands. */
const OPERATIONS: Readonly<Record<string, string>> = {
  GetCommand: 'GetItem',
  BatchGetCommand: 'BatchGetItem',
  QueryCommand: 'Query',
  PutCommand: 'PutItem',
  UpdateCommand: 'UpdateItem',
  DeleteCommand: 'DeleteItem',
  BatchWriteCommand: 'BatchWriteItem',
  TransactWriteCommand: 'TransactWriteItems',
};

/** Members whose value is a map of attributes, or a list of such maps. */
const ATTRIBUTES = new Set([
  'Key',
  'Keys',
  'Item',
  'Items',
  'Attributes',
  'ExpressionAttributeValues',
  'ExclusiveStartKey',
  'LastEvaluatedKey',
]);

/** Members whose value has such members, or is a list of such values; and those with one such value for each table. */
const NESTED = new Set(['TransactItems', 'Put', 'Update', 'Delete', 'ConditionCheck', 'PutRequest', 'DeleteRequest']);
const BY_TABLE = new Set(['RequestItems', 'UnprocessedKeys', 'UnprocessedItems']);

type Members = Record<string, unknown>;
type Change = (attributes: Members) => Members;
type MarshallOptions = Parameters<typeof marshall>[1];

/** A command of the document client and the options of its call. */
interface Command {
  constructor: { name: string };
  input: Members;
}
interface CallOptions {
  abortSignal?: AbortSignal;
}

/**
 * Carries out the calls of a table client without the SDK's middleware and its text for the wire, which were half of the CPU time
 * of reading an organization through the local service. A call that fails is continued by the SDK, as if it had made the
 * first attempt itself, so errors, retries and time-outs are the SDK's own.
 */
function shortenCalls(client: DynamoDBDocumentClient, requestMs: number, carryOut: CarryOut): DynamoDBDocumentClient {
  const write = writeAttributes(client.config.translateConfig?.marshallOptions);
  const send = client.send.bind(client) as (command: unknown, options?: CallOptions) => Promise<unknown>;
  client.send = (async (command: Command, options: CallOptions = {}) => {
    const operation = OPERATIONS[command.constructor.name];
    const signal = options.abortSignal;
    if (operation === undefined || signal?.aborted === true) return send(command, options);
    // All attempts have one token, as the SDK's own have: a transaction whose response was lost is not repeated.
    const sent =
      operation === 'TransactWriteItems' && command.input.ClientRequestToken === undefined
        ? new TransactWriteCommand({
            ...(command.input as unknown as TransactWriteCommand['input']),
            ClientRequestToken: randomUUID(),
          })
        : command;
    const input = translate(sent.input, write);
    const attempt: Attempt = await carryOutInTurn(carryOut, { operation, input, requestMs, signal }).then(
      (reply) => ({ reply }),
      (error: unknown) => ({ error }),
    );
    if ('error' in attempt || attempt.reply.status >= 300) {
      return withFirstAttempt({ input, attempt }, () => send(sent, options));
    }
    const $metadata = { httpStatusCode: attempt.reply.status, attempts: 1, totalRetryDelay: 0 };
    return { $metadata, ...translate(attempt.reply.body, readAttributes) };
  }) as DynamoDBDocumentClient['send'];
  return client;
}

/**
 * Makes what `inProcessHandlers` makes, with a client of the table whose calls are {@link shortenCalls shortened} if it has this
 * endpoint.
 * @param functionName returns the function for which the process works at present
 */
export function shortHandlers(
  tableUrl: string,
  endpoints: Endpoints,
  functionName?: HandlerFactory['functionName'],
): HandlerFactory {
  const carryOut = endpoints[tableUrl];
  // The variable from which the SDK takes the table's endpoint.
  const isHere = (): boolean => process.env.AWS_ENDPOINT_URL_DYNAMODB === tableUrl;
  const withTable: HandlerFactory['withTable'] = (client, { requestTimeout }) =>
    carryOut !== undefined && isHere() ? shortenCalls(client, requestTimeout, carryOut) : client;
  return Object.assign(inProcessHandlers(endpoints), { withTable, functionName });
}

/** Copies the members that are set, with all attributes in their other form. */
function translate(members: Members, change: Change): Members {
  const copy: Members = {};
  for (const [name, value] of Object.entries(members)) {
    if (value === undefined) continue;
    if (ATTRIBUTES.has(name)) copy[name] = Array.isArray(value) ? value.map(change) : change(value as Members);
    else if (name === 'Responses') copy[name] = mapValues(value as Members, (rows) => (rows as Members[]).map(change));
    else if (BY_TABLE.has(name)) copy[name] = mapValues(value as Members, (part) => translateAll(part, change));
    else copy[name] = NESTED.has(name) ? translateAll(value, change) : value;
  }
  return copy;
}

const translateAll = (value: unknown, change: Change): unknown =>
  Array.isArray(value) ? value.map((one: Members) => translate(one, change)) : translate(value as Members, change);

const mapValues = (members: Members, change: (value: unknown) => unknown): Members =>
  Object.fromEntries(Object.entries(members).map(([name, value]) => [name, change(value)]));

/** Attributes in DynamoDB's JSON, in which binary values are Base64. */
const writeAttributes =
  (options: MarshallOptions) =>
  (attributes: Members): Members =>
    withBinary(marshall(attributes, { ...options, convertTopLevelContainer: false }), (bytes) =>
      Buffer.from(bytes as Uint8Array).toString('base64'),
    );

const readAttributes = (attributes: Members): Members =>
  unmarshall(withBinary(attributes, (text) => new Uint8Array(Buffer.from(text as string, 'base64'))) as never);

/** Changes the binary values of attributes; all others are taken over. */
function withBinary(attributes: Members, change: (value: unknown) => unknown): Members {
  return mapValues(attributes, (value) => changeBinary(value as Members, change));
}

function changeBinary(value: Members, change: (value: unknown) => unknown): Members {
  if ('B' in value) return { B: change(value.B) };
  if ('BS' in value) return { BS: [...(value.BS as Iterable<unknown>)].map(change) };
  if ('M' in value) return { M: withBinary(value.M as Members, change) };
  if ('L' in value) return { L: (value.L as Members[]).map((one) => changeBinary(one, change)) };
  return value;
}

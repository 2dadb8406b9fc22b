import {
  BatchWriteCommand,
  DeleteCommand,
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';

import { Failure, general } from '../errors.ts';
import { TtlCache } from '../memory.ts';
import { settings } from '../settings.ts';

/**
 * The writer epoch of an environment: the number of the deployment that may write its rows. A table that is replicated to
 * another region keeps neither unique values nor transactions if both regions write, so each deployment compares its own
 * number (`GATEHOUSE_WRITER_EPOCH`) with that of the environment before each write.
 *
 * The number is read and never a condition of a write, because a condition check counts as a write of one row by all callers.
 * Instead an instance reads it again when its copy is older than {@link EPOCH_COPY_MS}, and who changes it waits longer than
 * that (`fence.ts`).
 */

/** Maximum age in ms of the copy with which a write is admitted. */
export const EPOCH_COPY_MS = 5_000;

/** The members of an environment that name its writer. */
export interface Writer {
  /** The number of the deployment that may write, 0 if absent. */
  writerEpoch?: number | undefined;
  /** The time from which no deployment may write, until calls of the former writer have ended. */
  fencedAt?: string | undefined;
}

/**
 * Reports whether a deployment may write an environment. Both numbers must be equal: a deployment that is ahead of the
 * environment is a standby.
 * @param own the number of the deployment
 */
export const isWriter = ({ writerEpoch = 0, fencedAt }: Writer, own: number): boolean =>
  fencedAt === undefined && writerEpoch === own;

/** By environment, whether this deployment may write it. */
const copies = new TtlCache<boolean>(1_000, EPOCH_COPY_MS);

/** Stores the writer of an environment that was just read: the time of the request is far within what a fence waits. */
export async function noteWriter(environmentId: string, writer: Writer): Promise<void> {
  await copies.reload(environmentId, async () => isWriter(writer, settings().GATEHOUSE_WRITER_EPOCH));
}

/** Clears the copies, for a runtime whose table was emptied or whose settings have changed. */
export const forgetWriters = (): void => copies.clear();

type Send = (command: unknown, ...options: unknown[]) => Promise<unknown>;

/** The `send` of a guarded client that has no guard. */
const unguarded = new WeakMap<DynamoDBDocumentClient, Send>();

/** Sends a command without the comparison, for the change of the epoch itself. */
export const sendUnguarded = (client: DynamoDBDocumentClient, command: UpdateCommand): Promise<unknown> =>
  (unguarded.get(client) ?? client.send.bind(client))(command);

/**
 * Compares the epoch of an environment with the deployment's. It takes no read while the copy is young, which the
 * authentication of a call stores as well; otherwise one GetItem.
 * @throws Failure `environment_fenced`, and then the call has written nothing
 */
export async function admitWrite(client: DynamoDBDocumentClient, environmentId: string): Promise<void> {
  const known = await copies.load(environmentId, () => readIsWriter(client, environmentId));
  if (!known) throw new Failure(general.environmentFenced, { retryAfter: EPOCH_COPY_MS / 1_000 });
}

async function readIsWriter(client: DynamoDBDocumentClient, environmentId: string): Promise<boolean> {
  const { Item } = await client.send(
    new GetCommand({
      TableName: settings().GATEHOUSE_TABLE,
      Key: { pk: `${environmentId}#environment#${environmentId}`, sk: 'record' },
      ConsistentRead: true,
      ProjectionExpression: 'writerEpoch, fencedAt',
    }),
  );
  // An environment without a row is being created, or was deleted.
  return Item === undefined || isWriter(Item, settings().GATEHOUSE_WRITER_EPOCH);
}

/** Makes a client compare the epoch before each write, in whichever way it is sent. */
export function guarded(client: DynamoDBDocumentClient): DynamoDBDocumentClient {
  const send = client.send.bind(client) as Send;
  unguarded.set(client, send);
  client.send = (async (command: { input: object }, ...options: unknown[]) => {
    for (const environmentId of listWritten(command)) await admitWrite(client, environmentId);
    return send(command, ...options);
  }) as DynamoDBDocumentClient['send'];
  return client;
}

interface Row {
  pk?: unknown;
}
interface Place {
  Item?: Row | undefined;
  Key?: Row | undefined;
}

/** The environments whose rows a command writes, as their keys begin. */
function listWritten(command: { input: object }): Set<string> {
  const ids = listPlaces(command).flatMap(({ Item, Key }) => ENVIRONMENT.exec(String((Item ?? Key)?.pk))?.[0] ?? []);
  return new Set(ids);
}

const ENVIRONMENT = /^environment_[^#]+/;

function listPlaces(command: { input: object }): Place[] {
  const input: Place & { TransactItems?: Record<string, Place>[] } = command.input;
  // No transaction of this service only reads.
  if (input.TransactItems !== undefined) return input.TransactItems.flatMap((item) => Object.values(item));
  if (command instanceof BatchWriteCommand)
    return Object.values(command.input.RequestItems ?? {}).flatMap((requests) =>
      requests.flatMap(({ PutRequest, DeleteRequest }) => PutRequest ?? DeleteRequest ?? []),
    );
  return command instanceof PutCommand || command instanceof UpdateCommand || command instanceof DeleteCommand
    ? [input]
    : [];
}

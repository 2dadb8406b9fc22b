import { PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';

import { awaitAll } from '../../../kernel/concurrency.ts';
import { settings } from '../../../kernel/settings.ts';
import { BATCH, type BatchRequest, writeBatch } from '../../../kernel/storage/batch.ts';
import { tableClient } from '../../../kernel/storage/client.ts';
import { isConditionFailure } from '../../../kernel/storage/faults.ts';
import type { WriteParams } from '../../../kernel/storage/write.ts';
import type { EvidenceRow } from '../evidence/row.ts';
import { type EventRecord, events, SHARDS } from './entity.ts';

/** The result of writing an event. */
export type Stored =
  | { kind: 'stored' }
  /** The result if an event with the same key exists. */
  | { kind: 'taken'; by: Pick<EventRecord, 'id' | 'request' | 'receivedAt' | 'organizationId' | 'hour'> };

/**
 * Writes an event unless one with its key exists, by one conditional PutItem, whose failure returns the existing row.
 * @param inPlaceOf the id of an event that it may replace
 */
export async function storeEvent(record: EventRecord, inPlaceOf?: string): Promise<Stored> {
  const { TableName, Item } = events.entity().put(record).params<WriteParams>();
  try {
    await tableClient().send(
      new PutCommand({
        TableName,
        Item,
        ConditionExpression: inPlaceOf === undefined ? 'attribute_not_exists(pk)' : 'id = :old',
        ...(inPlaceOf === undefined ? {} : { ExpressionAttributeValues: { ':old': inPlaceOf } }),
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      }),
    );
    return { kind: 'stored' };
  } catch (error) {
    if (!isConditionFailure(error)) throw error;
    const { Item: found = {} } = error as { Item?: Record<string, { S?: string }> };
    const textOf = (name: string): string => found[name]?.S ?? '';
    return {
      kind: 'taken',
      by: {
        id: textOf('id'),
        request: textOf('request'),
        receivedAt: textOf('receivedAt'),
        organizationId: textOf('organizationId'),
        hour: textOf('hour'),
      },
    };
  }
}

/** One hour of an organization. */
export interface Hour {
  environmentId: string;
  organizationId: string;
  hour: string;
}

/**
 * Maximum number of rows of a page that is limited by its size (1 MB, some 1,500 rows). Without a number the local engine would read the
 * rest of the shard for each page.
 */
const MOST_PAGE_ROWS = 2_000;

/** The direction in which the events of an hour are read, and the rows of each page; 1 MB without a number. */
export interface Reading {
  scan: 'asc' | 'desc';
  pageRows?: number;
}

/**
 * The events of an hour in the order of their ids, merged from the pages of the shards. It reads the index by time, which
 * is eventually consistent, and keeps one page (1 MB) of each shard in memory.
 * @param after the id to start after (exclusive)
 */
export async function* readRows(
  at: Hour,
  after?: string,
  reading: Reading = { scan: 'asc' },
): AsyncGenerator<EvidenceRow & { key: string }> {
  const shards = Array.from({ length: SHARDS }, (_, shard) => readShard(at, String(shard), after, reading));
  const heads = await awaitAll(shards.map((rows) => rows.next()));
  const isFirst = (one: string, other: string): boolean => (reading.scan === 'asc' ? one < other : one > other);
  for (;;) {
    let first = -1;
    for (const [shard, head] of heads.entries()) {
      if (head.done === true) continue;
      const other = heads[first];
      if (other === undefined || other.done === true || isFirst(head.value.id, other.value.id)) first = shard;
    }
    const head = heads[first];
    const rows = shards[first];
    if (head === undefined || head.done === true || rows === undefined) return;
    yield head.value;
    heads[first] = await rows.next();
  }
}

const WANTED = [
  'id',
  'action',
  'occurredAt',
  'schemaVersion',
  'actor',
  'targets',
  'context',
  'metadata',
  'receivedAt',
  'salt',
  'key',
] as const;

async function* readShard(
  { environmentId, organizationId, hour }: Hour,
  shard: string,
  after: string | undefined,
  { scan, pageRows = MOST_PAGE_ROWS }: Reading,
): AsyncGenerator<EvidenceRow & { key: string }, undefined> {
  let ExclusiveStartKey: Record<string, unknown> | undefined;
  do {
    const page = await tableClient().send(
      new QueryCommand({
        TableName: settings().GATEHOUSE_TABLE,
        IndexName: 'gsi1',
        KeyConditionExpression: `gsi1pk = :shard AND gsi1sk ${scan === 'asc' ? '>' : '<'} :after`,
        ScanIndexForward: scan === 'asc',
        Limit: pageRows,
        // The projection leaves out the other attributes, which are keys and would double the memory and transfer of the
        // read.
        ProjectionExpression: WANTED.map((name) => `#${name}`).join(', '),
        ExpressionAttributeNames: Object.fromEntries(WANTED.map((name) => [`#${name}`, name])),
        // A key must not be an empty text. Every id is greater than the first of these texts, and less than the second.
        ExpressionAttributeValues: {
          ':shard': `${environmentId}#audit-events#${organizationId}#${hour}#${shard}`,
          ':after': after || (scan === 'asc' ? ' ' : '~'),
        },
        ...(ExclusiveStartKey === undefined ? {} : { ExclusiveStartKey }),
      }),
    );
    for (const item of page.Items ?? []) yield rowOfItem(item as Pick<EventRecord, (typeof WANTED)[number]>);
    ExclusiveStartKey = page.LastEvaluatedKey;
  } while (ExclusiveStartKey !== undefined);
}

function rowOfItem(item: Pick<EventRecord, (typeof WANTED)[number]>): EvidenceRow & { key: string } {
  const { id, action, occurredAt, actor, targets, context, metadata, receivedAt, salt, key } = item;
  return {
    id,
    action,
    occurredAt,
    version: item.schemaVersion,
    actor,
    targets,
    context,
    metadata,
    receivedAt,
    salt,
    key,
  };
}

/**
 * Removes the rows of an hour, in batches.
 * @returns the number of rows
 */
export async function removeRows(at: Hour): Promise<number> {
  let removed = 0;
  let batch: BatchRequest[] = [];
  const flush = async (): Promise<void> => {
    await writeBatch(batch);
    removed += batch.length;
    batch = [];
  };
  for await (const { key } of readRows(at)) {
    batch.push({ DeleteRequest: { Key: { pk: `${at.environmentId}#audit-event#${key}`, sk: 'record' } } });
    if (batch.length === BATCH) await flush();
  }
  await flush();
  return removed;
}

import { DeleteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';

import { tableClient } from './client.ts';
import type { WriteParams } from './write.ts';

/**
 * Writes outside of a unit of work that return the row: one round trip for a change and a read, for counters, and for
 * rows that are used once.
 */

type Addressed = WriteParams & { Key: Record<string, unknown> };

/**
 * Sends one UpdateItem.
 * @returns the row after the update
 */
export async function updateReturning(params: WriteParams): Promise<Record<string, unknown>> {
  const sent = { ...(params as Addressed), ReturnValues: 'ALL_NEW' as const };
  return (await tableClient().send(new UpdateCommand(sent))).Attributes ?? {};
}

/**
 * Sends one DeleteItem.
 * @returns the row before the deletion; undefined if there was none, so of concurrent calls only one gets it
 */
export async function deleteReturning(params: WriteParams): Promise<Record<string, unknown> | undefined> {
  const sent = { ...(params as Addressed), ReturnValues: 'ALL_OLD' as const };
  return (await tableClient().send(new DeleteCommand(sent))).Attributes;
}

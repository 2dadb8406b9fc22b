import { DeleteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';

import { tableClient } from '../storage/client.ts';
import { isConditionFailure } from '../storage/faults.ts';
import type { WriteParams } from '../storage/write.ts';

/** The result of a conditional update: the new row, or (if rejected) the existing one. */
export type Updated = { applied: boolean; row: (name: string) => number; holder: string | undefined };

/** Sends one conditional UpdateItem, whose failure returns the existing row: one round trip either way. */
export async function update(params: object): Promise<Updated> {
  try {
    const { Attributes = {} } = await tableClient().send(
      new UpdateCommand({
        ...(params as WriteParams & { Key: Record<string, unknown>; UpdateExpression: string }),
        ReturnValues: 'ALL_NEW',
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      }),
    );
    return { applied: true, row: (name) => Number(Attributes[name] ?? 0), holder: Attributes.holder as string };
  } catch (error) {
    if (!isConditionFailure(error)) throw error;
    const { Item = {} } = error as { Item?: Record<string, { N?: string; S?: string }> };
    return { applied: false, row: (name) => Number(Item[name]?.N ?? 0), holder: Item.holder?.S };
  }
}

/** Sends one conditional DeleteItem. */
export async function remove(params: object): Promise<void> {
  await tableClient().send(new DeleteCommand(params as { TableName: string; Key: Record<string, unknown> }));
}

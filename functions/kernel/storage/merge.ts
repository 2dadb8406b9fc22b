import type { StagedWrite } from './write.ts';

/**
 * Merges the writes of one row, since a transaction accepts a row only once: the result is the state after the last write,
 * with the condition of the first. So a call may change a record in several steps, each of which revises the result of the
 * previous one. A condition check is left out if the transaction also writes the row.
 * @throws Error if a later step started from the row as it was read, because it would undo an earlier one; or if two steps
 * create it
 */
export function merged(writes: readonly StagedWrite[]): StagedWrite[] {
  const byRow = new Map<unknown, StagedWrite>();
  for (const write of writes) {
    const row = readRow(write);
    const earlier = byRow.get(row);
    if (earlier === undefined || earlier.kind === 'ConditionCheck') byRow.set(row, write);
    else if (write.kind !== 'ConditionCheck') byRow.set(row, after(earlier, write));
  }
  return [...byRow.values()];
}

/** The row as text, by which writes of one row are compared. A write without the whole row equals only itself. */
function readRow(write: StagedWrite): unknown {
  const { pk, sk } = (write.params.Item ?? write.params.Key ?? {}) as { pk?: string; sk?: string };
  return write.kind === 'Update' ? write : JSON.stringify([write.params.TableName, pk, sk]);
}

function after(earlier: StagedWrite, later: StagedWrite): StagedWrite {
  const made: unknown = earlier.params.Item?.version;
  const expected: unknown = later.params.ExpressionAttributeValues?.[':version'];
  const isCreatedTwice = earlier.kind === 'Put' && later.params.ConditionExpression?.includes('attribute_not_exists');
  if (isCreatedTwice || (expected !== undefined && expected !== made)) {
    throw new Error(
      'A record was changed twice in one unit of work, the second time from what it was before the first',
    );
  }
  const { ConditionExpression, ExpressionAttributeNames, ExpressionAttributeValues } = earlier.params;
  const { TableName, Item, Key } = later.params;
  return {
    kind: later.kind,
    onConditionFailed: earlier.onConditionFailed ?? later.onConditionFailed,
    params: {
      TableName,
      ...(Item === undefined ? {} : { Item }),
      ...(Key === undefined ? {} : { Key }),
      ...(ConditionExpression === undefined ? {} : { ConditionExpression }),
      ...(ExpressionAttributeNames === undefined ? {} : { ExpressionAttributeNames }),
      ...(ExpressionAttributeValues === undefined ? {} : { ExpressionAttributeValues }),
    },
  };
}

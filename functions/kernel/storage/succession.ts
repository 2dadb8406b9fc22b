import type { StagedWrite } from './write.ts';

/** The row that a write is about: its table and key. */
function rowOf({ params: { TableName, Item, Key } }: StagedWrite): string {
  const { pk, sk } = (Item ?? Key) as { pk: string; sk: string };
  return JSON.stringify([TableName, pk, sk]);
}

/** The writes of a transaction by the rows that they are about, in the order in which the rows came up. */
export type WritesByRow = Map<string, StagedWrite>;

/**
 * Adds a write to those of a transaction, which takes one of a row. What a call does to a row in several steps (a sign-in
 * that proves an address, then notes its time) becomes the last step's write under the first one's condition: that is what
 * the table held when the call began. A check of a row that is written beside it adds nothing and is left out.
 *
 * @throws Error for a step that cannot follow: an Update of a row, or the removal of one that the call makes.
 */
export function addInSuccession(writes: WritesByRow, write: StagedWrite): void {
  const row = rowOf(write);
  const earlier = writes.get(row);
  if (earlier === undefined || earlier.kind === 'ConditionCheck') writes.set(row, write);
  else if (write.kind !== 'ConditionCheck') writes.set(row, follow(earlier, write));
}

function follow(earlier: StagedWrite, later: StagedWrite): StagedWrite {
  const { ConditionExpression, ExpressionAttributeNames, ExpressionAttributeValues } = earlier.params;
  const isReplaced = earlier.kind === 'Put' && later.kind === 'Put';
  const isRemoved = isRevision(earlier) && later.kind === 'Delete';
  const isRemade = earlier.kind === 'Delete' && later.kind === 'Put';
  if (!isReplaced && !isRemoved && !isRemade)
    throw new Error(`A ${later.kind} of a row cannot follow its ${earlier.kind}`);
  const { Item, Key, TableName } = later.params;
  return {
    kind: later.kind,
    params: {
      TableName,
      ...(Item === undefined ? {} : { Item }),
      ...(Key === undefined ? {} : { Key }),
      ...(ConditionExpression === undefined ? {} : { ConditionExpression }),
      ...(ExpressionAttributeNames === undefined ? {} : { ExpressionAttributeNames }),
      ...(ExpressionAttributeValues === undefined ? {} : { ExpressionAttributeValues }),
    },
    otherwise: earlier.otherwise ?? later.otherwise,
  };
}

/** Whether a Put changes a row that is there, rather than making one. */
const isRevision = ({ kind, params }: StagedWrite): boolean =>
  kind === 'Put' && params.ConditionExpression?.startsWith('attribute_not_exists') !== true;

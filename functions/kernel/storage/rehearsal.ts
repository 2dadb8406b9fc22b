import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';

import { untilDeadline } from '../events/settlement.ts';
import { settings } from '../settings.ts';
import { tableClient } from './client.ts';
import { readOutcome, type Unit } from './unit.ts';

/** The result of a rehearsal. */
export type Rehearsed =
  | { kind: 'conflict' }
  /** The transaction would be committed, with this number of writes, those of events included. */
  | { kind: 'possible'; writes: number };

/**
 * Has the table check the conditions of a unit of work without a write. The transaction is sent with one additional
 * condition, which can never hold, so DynamoDB cancels it and reports for each write whether its condition failed
 * (https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_CancellationReason.html). It consumes the write units
 * of the transaction.
 * @throws Failure of the first write with a failed condition and an error, as the commit would
 */
export async function rehearse(environmentId: string, unit: Pick<Unit, 'compose'>): Promise<Rehearsed> {
  const staged = unit.compose();
  if (staged.length === 0) return { kind: 'possible', writes: 0 };
  const never = {
    ConditionCheck: {
      TableName: settings().GATEHOUSE_TABLE,
      // A key that no row has.
      Key: { pk: `${environmentId}#dry-run`, sk: 'record' },
      ConditionExpression: 'attribute_exists(pk)',
    },
  };
  const items = [...staged.map(({ kind, params }) => ({ [kind]: params })), never];
  try {
    await untilDeadline((options) => tableClient().send(new TransactWriteCommand({ TransactItems: items }), options));
  } catch (error) {
    if (!(error instanceof TransactionCanceledException)) throw error;
    const own = (error.CancellationReasons ?? []).slice(0, staged.length);
    if (own.length === staged.length && own.every(({ Code }) => Code === 'None'))
      return { kind: 'possible', writes: staged.length };
    readOutcome(own, false, staged);
    return { kind: 'conflict' };
  }
  throw new Error('A dry run was committed');
}

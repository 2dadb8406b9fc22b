import { DeleteCommand } from '@aws-sdk/lib-dynamodb';

import { tableClient } from '../../kernel/storage/client.ts';
import { collection } from '../../kernel/storage/collection.ts';
import { entity } from '../../kernel/storage/entity.ts';
import { expiringAttributes, model, recordAttributes, recordKey } from '../../kernel/storage/record.ts';

/** The report of the script in a page, for one attempt. Its id is the SHA-256 of the `signals_id`. */
const SignalsEntity = entity({
  model: model('radar-signals'),
  attributes: {
    ...recordAttributes,
    ...expiringAttributes,
    /** True if the browser reported that a program controls it. */
    automation: { type: 'boolean', required: true, readOnly: true },
  },
  indexes: { primary: recordKey('radar-signals') },
});

export const signalRows = collection(SignalsEntity, 'internal');

/** Removes and returns a row: one DeleteItem, so that of concurrent calls one gets it. */
export async function takeSignals(
  environmentId: string,
  id: string,
): Promise<{ automation: boolean; expiresAt: number } | undefined> {
  const { Attributes: row } = await tableClient().send(
    new DeleteCommand({ ...signalRows.keyOf({ environmentId, id }), ReturnValues: 'ALL_OLD' }),
  );
  return row && { automation: row.automation === true, expiresAt: Number(row.expiresAt) };
}

import { collection } from '../../../kernel/storage/collection.ts';
import { entity } from '../../../kernel/storage/entity.ts';
import { expiringAttributes, model, recordAttributes, recordKey } from '../../../kernel/storage/record.ts';
import { deleteReturning } from '../../../kernel/storage/returning.ts';

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

/** Removes and returns a row by one DeleteItem, so that only one of concurrent calls gets it. */
export async function takeSignals(
  environmentId: string,
  id: string,
): Promise<{ automation: boolean; expiresAt: number } | undefined> {
  const row = await deleteReturning(signalRows.keyOf({ environmentId, id }));
  return row && { automation: row.automation === true, expiresAt: Number(row.expiresAt) };
}

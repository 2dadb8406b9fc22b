import { clock } from '../clock.ts';
import { DAY_MS, DAY_SECONDS } from '../durations.ts';
import { declareError, Failure } from '../errors.ts';
import { collection } from '../storage/collection.ts';
import { entity } from '../storage/entity.ts';
import {
  expiringAttributes,
  model,
  ownedAttributes,
  ownedIndex,
  ownerKey,
  recordAttributes,
  recordKey,
} from '../storage/record.ts';
import type { Unit } from '../storage/unit.ts';
import type { Caller } from './caller.ts';

/** The last changes of one person's address and factors by one operator. The id has the ids of both. */
const TouchEntity = entity({
  model: model('operator-touch'),
  attributes: {
    ...recordAttributes,
    ...ownedAttributes,
    ...expiringAttributes,
    /** The times of the last change (ISO 8601). */
    address: { type: 'string' },
    factor: { type: 'string' },
  },
  indexes: { primary: recordKey('operator-touch'), owned: ownedIndex },
});

const touches = collection(TouchEntity, 'internal');

export const addressAndFactor = declareError({
  status: 403,
  code: 'operator_change_conflict',
  message:
    'Only operators get this error, never API keys: one operator cannot change both the email address and a factor of a user within a day, since with both they could sign in as that user. Ask another operator.',
});

/**
 * Stages that an operator changes the address or a factor of a user. The row of both is part of the transaction, so that of two changes
 * at the same moment one is rejected. It does nothing for other callers.
 * @throws Failure 403 if the operator changed the other one within a day
 */
export async function stageTakeoverAct(
  unit: Pick<Unit, 'stage'>,
  { operator, actor, environmentId }: Caller,
  userId: string,
  kind: 'address' | 'factor',
): Promise<void> {
  if (operator === undefined) return;
  const id = `${userId}#${actor.id}`;
  const former = await touches.get(environmentId, id);
  const other = kind === 'address' ? former?.factor : former?.address;
  if (other !== undefined && clock.now() - Date.parse(other) < DAY_MS) throw new Failure(addressAndFactor);
  const change = { [kind]: clock.timestamp(), expiresAt: clock.seconds() + DAY_SECONDS };
  unit.stage(
    former === undefined
      ? touches.create({ environmentId, id, owner: ownerKey('user', userId), ...change }).write
      : touches.revise(former, change).write,
  );
}

import { ownerKey } from '../../../../kernel/storage/record.ts';
import type { Unit } from '../../../../kernel/storage/unit.ts';
import { releaseIfHeld, transfer } from '../../../../kernel/storage/unique.ts';
import { identities, type IdentityName, type IdentityRecord, hashIdentity, uniqueOf } from './entity.ts';
import type { Justification } from '../../../../tenancy/modules/trust/public.ts';
import { findIdentities } from './find.ts';

/**
 * Links an identity to a user, in the transaction that also revises the user.
 * @param justification what justifies the link of an account at a connection
 * @param formerHolder who has it now: this user, or a deleted one whose rows are not removed yet; a concurrent link of the same
 * identity conflicts and reads again
 */
export async function stageIdentity(
  unit: Pick<Unit, 'stage'>,
  environmentId: string,
  userId: string,
  name: IdentityName,
  {
    formerHolder,
    justification,
  }: { formerHolder?: string | undefined; justification?: Justification | undefined } = {},
): Promise<IdentityRecord> {
  const id = hashIdentity(name);
  const unique = uniqueOf(environmentId, id);
  const owner = ownerKey('user', userId);
  unit.stage(transfer(unique, formerHolder, userId, owner));
  const former = await identities.get(environmentId, id, { userId });
  const { record, write } =
    former === undefined
      ? identities.create({ environmentId, id, owner, userId, ...name, justification })
      : identities.revise(former, { justification });
  unit.stage(write);
  return record;
}

/**
 * Removes a user's identities, so that none of them signs in this user any more, with two writes for each. The caller
 * revises the user's row, so that concurrent removals conflict.
 * @param which `kept` is the identity that stays, if the user has it; `onlyId` is the id of the only one to remove
 * @returns the removed identities
 */
export async function stageRemovalOfIdentities(
  unit: Pick<Unit, 'stage'>,
  environmentId: string,
  userId: string,
  { kept, onlyId }: { kept?: IdentityName | undefined; onlyId?: string } = {},
): Promise<IdentityRecord[]> {
  const keptId = kept && hashIdentity(kept);
  const owned = await findIdentities(environmentId, userId);
  const removed = owned.filter(({ id }) => id !== keptId && (onlyId === undefined || id === onlyId));
  for (const record of removed) {
    unit.stage([identities.remove(record), releaseIfHeld(uniqueOf(environmentId, record.id), userId)]);
  }
  return removed;
}

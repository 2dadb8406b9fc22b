import { ownerKey } from '../../kernel/storage/record.ts';
import type { Unit } from '../../kernel/storage/unit.ts';
import { releaseIfHeld, transfer } from '../../kernel/storage/unique.ts';
import { identities, type IdentityName, type IdentityRecord, hashIdentity, uniqueOf } from './entity.ts';
import { findIdentities } from './find.ts';

/**
 * Links an identity to a user, in the transaction that also revises the user.
 * @param deletedHolder the deleted user who still has it, whose rows are not removed yet; a concurrent link of the same
 * identity conflicts and reads again
 */
export async function stageIdentity(
  unit: Pick<Unit, 'stage'>,
  environmentId: string,
  userId: string,
  name: IdentityName,
  deletedHolder?: string,
): Promise<IdentityRecord> {
  const id = hashIdentity(name);
  const unique = uniqueOf(environmentId, id);
  const owner = ownerKey('user', userId);
  unit.stage(transfer(unique, deletedHolder, userId, owner));
  const former = await identities.get(environmentId, id, { userId });
  const { record, write } =
    former === undefined
      ? identities.create({ environmentId, id, owner, userId, ...name })
      : identities.revise(former, {});
  unit.stage(write);
  return record;
}

/**
 * Removes a user's identities, so that none of them signs in this user any more, with two writes for each.
 * @param kept the identity that stays, if the user has it
 */
export async function stageRemovalOfIdentities(
  unit: Pick<Unit, 'stage'>,
  environmentId: string,
  userId: string,
  kept?: IdentityName,
): Promise<void> {
  const keptId = kept && hashIdentity(kept);
  for (const record of await findIdentities(environmentId, userId)) {
    if (record.id === keptId) continue;
    unit.stage([identities.remove(record), releaseIfHeld(uniqueOf(environmentId, record.id), userId)]);
  }
}

import { systemActor } from '../../../kernel/authentication/caller.ts';
import { applyWork } from '../../../kernel/storage/background.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import { findUser } from '../../../tenancy/modules/users/public.ts';
import { type ApiKeyRecord, apiKeys } from './entity.ts';
import { presentKey } from './schema.ts';

/**
 * Removes the keys of a deleted user, each with `api_key.revoked`. They became invalid when the user was deleted. A key that
 * the index does not show yet keeps its row, which has no effect.
 */
export const forgetUser = (environmentId: string, userId: string): Promise<void> =>
  revokeKeys(environmentId, userId, () => true);

/**
 * Removes the keys that a user had before the address was first verified, each with `api_key.revoked`. They became invalid
 * with the verification. A key that was being created at that moment keeps its row, which has no effect.
 */
export async function forgetEarlierHolder(environmentId: string, userId: string): Promise<void> {
  const user = await findUser(environmentId, userId);
  if (user === undefined) return;
  const { ownershipEpoch: current = 0 } = user;
  await revokeKeys(environmentId, userId, ({ ownershipEpoch = 0 }) => ownershipEpoch !== current);
}

/** Stages the removal of a key with `api_key.revoked`. */
export function stageKeyRevocation(unit: Unit<'api_key.revoked'>, record: ApiKeyRecord): void {
  const { organizationId } = record;
  unit.announce({ record, write: apiKeys.remove(record) }, 'api_key.revoked', presentKey, { organizationId });
}

async function revokeKeys(
  environmentId: string,
  userId: string,
  isMeant: (key: ApiKeyRecord) => boolean,
): Promise<void> {
  for await (const key of apiKeys.list('byHolder', { environmentId, holderId: userId })) {
    if (!isMeant(key)) continue;
    await applyWork(environmentId, systemActor, async (unit) => {
      const record = await apiKeys.get(environmentId, key.id);
      if (record !== undefined) stageKeyRevocation(unit, record);
    });
  }
}

import { destroyOrganizationKeys } from '../../kernel/keys/organization-keys.ts';
import { removeOwned } from '../../kernel/storage/cascade.ts';
import { ownerKey } from '../../kernel/storage/record.ts';
import { deleteKmsKey } from '../key/standing.ts';

/**
 * Ends what stands under organizations' keys of an environment that is deleted, as the deletion of each organization would:
 * its key is destroyed, KMS deletes the key that it may have had for itself, and its rows go, also those of organizations that
 * have no record here, which only the vault knows. Without receipts, which would go with the environment. May run again.
 * @returns how many keys and rows there were
 */
export async function shredEnvironment(environmentId: string): Promise<{ keys: number; rows: number }> {
  let rows = 0;
  const keys = await destroyOrganizationKeys(environmentId, async (organizationId, { kmsKeyArn }) => {
    if (kmsKeyArn !== undefined) await deleteKmsKey(kmsKeyArn);
    rows += await removeOwned(environmentId, ownerKey('organization', organizationId));
  });
  return { keys, rows };
}

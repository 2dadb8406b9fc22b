import { destroyOrganizationKeys } from '../../../kernel/keys/organization-keys.ts';
import { removeOwned } from '../../../kernel/storage/cascade.ts';
import { ownerKey } from '../../../kernel/storage/record.ts';
import { deleteKmsKey } from '../key/protecting-keys.ts';

/**
 * Destroys the organizations' keys of a deleted environment, as the deletion of each organization would: the key is
 * destroyed, KMS deletes the organization's own KMS key if there is one, and the rows are removed. This includes
 * organizations that have no record in the service. There are no receipts, because they would be erased with the
 * environment. It may run again.
 * @returns the number of keys and rows
 */
export async function shredEnvironment(environmentId: string): Promise<{ keys: number; rows: number }> {
  let rows = 0;
  const keys = await destroyOrganizationKeys(environmentId, async (organizationId, { kmsKeyId }) => {
    if (kmsKeyId !== undefined) await deleteKmsKey(kmsKeyId);
    rows += await removeOwned(environmentId, ownerKey('organization', organizationId));
  });
  return { keys, rows };
}

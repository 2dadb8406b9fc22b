import { collection } from '../../../kernel/storage/collection.ts';
import { ownedRecord } from '../../../kernel/storage/record.ts';
import { type RecordOf, entity } from '../../../kernel/storage/entity.ts';

/**
 * The key of a context, which callers see by its id: the wrapping key in KMS that protects the data keys of that context.
 * The row exists so that the first use emits its event only once; its members are derived from context and KMS key.
 */
const ContextKeyEntity = entity(
  ownedRecord('vault-key', {
    name: { type: 'string', required: true },
    context: { type: 'any', required: true },
    /** The KMS key: an ARN, or the id of a multi-region key; empty for the stage's own. */
    root: { type: 'string', required: true },
  }),
);

export type ContextKeyRecord = RecordOf<typeof ContextKeyEntity>;
export const contextKeys = collection(ContextKeyEntity, {
  events: ['vault.kek.created', 'vault.kek.deleted'],
});

/**
 * The policy by which an environment keeps its organizations' keys, in one row for each environment, whose id is
 * `settings`.
 */
const VaultSettingsEntity = entity(
  ownedRecord('vault-settings', {
    organizationKeys: { type: ['shared', 'dedicated'] as const, required: true },
  }),
);

export const vaultSettings = collection(VaultSettingsEntity, 'silent');

import { collection } from '../../kernel/storage/collection.ts';
import { entity, type RecordOf } from '../../kernel/storage/entity.ts';
import { model, ownedAttributes, ownedIndex, recordAttributes, recordKey } from '../../kernel/storage/record.ts';

/**
 * The key of a context, which callers see by its id: the wrapping key in KMS that protects the data keys of that context.
 * The row exists so that the first use emits its event only once; its members are derived from context and KMS key.
 */
const ContextKeyEntity = entity({
  model: model('vault-key'),
  attributes: {
    ...recordAttributes,
    ...ownedAttributes,
    name: { type: 'string', required: true },
    context: { type: 'any', required: true },
    /** ARN of the KMS key; empty for the stage's own. */
    root: { type: 'string', required: true },
  },
  indexes: { primary: recordKey('vault-key'), owned: ownedIndex },
});

export type ContextKeyRecord = RecordOf<typeof ContextKeyEntity>;
export const contextKeys = collection(ContextKeyEntity, {
  events: ['vault.kek.created', 'vault.kek.deleted'],
});

/**
 * The policy by which an environment keeps its organizations' keys, in one row for each environment, whose id is
 * `settings`.
 */
const VaultSettingsEntity = entity({
  model: model('vault-settings'),
  attributes: {
    ...recordAttributes,
    ...ownedAttributes,
    organizationKeys: { type: ['shared', 'dedicated'] as const, required: true },
  },
  indexes: { primary: recordKey('vault-settings'), owned: ownedIndex },
});

export const vaultSettings = collection(VaultSettingsEntity, 'silent');

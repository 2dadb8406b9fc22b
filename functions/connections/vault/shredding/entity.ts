import { collection } from '../../../kernel/storage/collection.ts';
import { entity, type RecordOf } from '../../../kernel/storage/entity.ts';
import { dueAttributes, dueIndex, findDue } from '../../../kernel/storage/due.ts';
import {
  creationIndex,
  model,
  ownedAttributes,
  ownedIndex,
  recordAttributes,
  recordKey,
} from '../../../kernel/storage/record.ts';

/**
 * The destruction of an organization's key and, once it is complete, the receipt for it. Its id is the organization's.
 * It belongs to the environment, because it outlives the deleted organization.
 */
const ShreddingEntity = entity({
  model: model('vault-shredding'),
  attributes: {
    ...recordAttributes,
    ...ownedAttributes,
    ...dueAttributes,
    keyId: { type: 'string', required: true, readOnly: true },
    /** The KMS key that only this organization used. */
    kmsKeyId: { type: 'string' },
    /** The time when KMS deletes that key's material. */
    kmsDeletionAt: { type: 'string' },
    keyCreatedAt: { type: 'string' },
    destroyedAt: { type: 'string', required: true, readOnly: true },
    /** The statement of the receipt: the exact text that is signed. */
    statement: { type: 'string' },
    /** The DER-encoded signature in base64. */
    signature: { type: 'string' },
    /** The public key in PEM. */
    publicKey: { type: 'string' },
    signedAt: { type: 'string' },
  },
  indexes: {
    primary: recordKey('vault-shredding'),
    byOrganization: creationIndex('vault-shredding'),
    /** Destructions whose receipt is due. */
    due: dueIndex('vault-shredding'),
    owned: ownedIndex,
  },
});

export type ShreddingRecord = RecordOf<typeof ShreddingEntity>;
export const shreddings = collection(ShreddingEntity, 'silent');

/** Destructions whose receipt is due. */
export const dueShreddings = (limit: number): Promise<ShreddingRecord[]> => findDue(shreddings.entity(), limit);

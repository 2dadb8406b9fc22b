import { collection } from '../../kernel/storage/collection.ts';
import { entity, type RecordOf } from '../../kernel/storage/entity.ts';
import { dueAttributes, dueIndex, findDue } from '../../kernel/storage/due.ts';
import {
  creationIndex,
  model,
  ownedAttributes,
  ownedIndex,
  recordAttributes,
  recordKey,
} from '../../kernel/storage/record.ts';

/**
 * The end of an organization's key, and once it is certain the receipt for it. Its id is the organization's. It belongs
 * to the environment: it outlives the organization, whose end it proves.
 */
const ShreddingEntity = entity({
  model: model('vault-shredding'),
  attributes: {
    ...recordAttributes,
    ...ownedAttributes,
    ...dueAttributes,
    keyId: { type: 'string', required: true, readOnly: true },
    /** The KMS key that the organization had for itself. */
    kmsKeyArn: { type: 'string' },
    /** When KMS deletes that key's material. */
    kmsDeletionAt: { type: 'string' },
    keyCreatedAt: { type: 'string' },
    destroyedAt: { type: 'string', required: true, readOnly: true },
    /** What is claimed, as the very text that is signed. */
    statement: { type: 'string' },
    /** Base64 of the DER-encoded signature. */
    signature: { type: 'string' },
    /** PEM. */
    publicKey: { type: 'string' },
    signedAt: { type: 'string' },
  },
  indexes: {
    primary: recordKey('vault-shredding'),
    byOrganization: creationIndex('vault-shredding'),
    /** Ends whose receipt is due. */
    due: dueIndex('vault-shredding'),
    owned: ownedIndex,
  },
});

export type ShreddingRecord = RecordOf<typeof ShreddingEntity>;
export const shreddings = collection(ShreddingEntity);

/** Ends of keys whose receipt is due. */
export const dueShreddings = (limit: number): Promise<ShreddingRecord[]> => findDue(shreddings.entity(), limit);

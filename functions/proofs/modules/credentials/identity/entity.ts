import { sha256Hex } from '../../../../kernel/keys/hash.ts';
import { collection } from '../../../../kernel/storage/collection.ts';
import { entity, type RecordOf } from '../../../../kernel/storage/entity.ts';
import { childKey, model, ownedAttributes, ownedIndex, recordAttributes } from '../../../../kernel/storage/record.ts';
import type { UniqueValue } from '../../../../kernel/storage/unique.ts';

/**
 * A user's account at a provider, for sign-in. It is in its user's partition, and its id is the hash of its identification.
 */
const IdentityEntity = entity({
  model: model('identity'),
  attributes: {
    ...recordAttributes,
    ...ownedAttributes,
    userId: { type: 'string', required: true, readOnly: true },
    /** The provider in the contract's spelling, such as `GoogleOAuth`. */
    provider: { type: 'string', required: true, readOnly: true },
    /** The issuer of the subject: an issuer URL (OpenID Connect Core 1.0 section 2), or the provider's address. */
    issuer: { type: 'string', required: true, readOnly: true },
    subject: { type: 'string', required: true, readOnly: true },
    /** The {@link Justification} of the link of an account at a connection; absent for social accounts. */
    justification: { type: 'any' },
  },
  indexes: { primary: childKey('identity', 'userId'), owned: ownedIndex },
});

export type IdentityRecord = RecordOf<typeof IdentityEntity>;

/** Identities in their users' partitions: `get` is one GetItem, and `list` by `primary` one Query. */
export const identities = collection(IdentityEntity, 'internal');

/** The permanent identification of an account at a provider. An email is not permanent: it can be given to another user. */
export interface IdentityName {
  provider: string;
  issuer: string;
  subject: string;
}

/** Maximum number of identities of a user, so that all can be removed in the transaction of other revocations. */
export const MAX_IDENTITIES = 10;

/** The id of an identity in its user's partition. */
export const hashIdentity = ({ provider, issuer, subject }: IdentityName): string =>
  sha256Hex(JSON.stringify([provider, issuer, subject]));

/** The unique value by which an identity belongs to one user only. */
export const uniqueOf = (environmentId: string, id: string): UniqueValue => ({
  environmentId,
  kind: 'identity',
  value: id,
});

import { collection } from '../../kernel/storage/collection.ts';
import { entity, type RecordOf } from '../../kernel/storage/entity.ts';
import { model, ownedAttributes, ownedIndex, recordAttributes, recordKey } from '../../kernel/storage/record.ts';

/** One RSA key pair of an environment. */
export interface SigningKey {
  /** The JWK's thumbprint (RFC 7638). */
  kid: string;
  /** DER of the self-signed certificate, which contains the public key. */
  certificate: Uint8Array;
  /** DER of the PKCS #8 private key, encrypted. */
  sealed: Uint8Array;
  /** The time when verifiers could first fetch it, in milliseconds since the epoch. */
  publishedAt: number;
}

/** A key that no longer signs. */
export interface FormerKey extends Omit<SigningKey, 'sealed'> {
  /** The end of its publication, in milliseconds since the epoch: by then its last token has expired. */
  until: number;
}

/**
 * The keys of an environment's access tokens, in one row with the environment's id: signing and publishing read one
 * item, and of two concurrent calls that create it only one succeeds. About 6 KB.
 */
const SigningKeysEntity = entity({
  model: model('signing-keys'),
  attributes: {
    ...recordAttributes,
    ...ownedAttributes,
    /** The signing key. A {@link SigningKey}, like `next`. */
    current: { type: 'any', required: true },
    /** The next signing key, published in advance so that verifiers know it. */
    next: { type: 'any', required: true },
    /** A list of {@link FormerKey}. */
    former: { type: 'any', required: true },
  },
  indexes: { primary: recordKey('signing-keys'), owned: ownedIndex },
});

type Stored = RecordOf<typeof SigningKeysEntity>;

export interface SigningKeysRecord extends Stored {
  current: SigningKey;
  next: SigningKey;
  former: FormerKey[];
}

export const signingKeys = collection(SigningKeysEntity, 'silent');

/** An environment's keys: one strongly consistent GetItem. */
export const signingKeysOf = (environmentId: string): Promise<SigningKeysRecord | undefined> =>
  signingKeys.get(environmentId, environmentId);

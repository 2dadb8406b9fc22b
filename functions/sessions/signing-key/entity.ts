import { collection } from '../../kernel/storage/collection.ts';
import { entity, type RecordOf } from '../../kernel/storage/entity.ts';
import { model, ownedAttributes, ownedIndex, recordAttributes, recordKey } from '../../kernel/storage/record.ts';

/** One RSA key pair of an environment. */
export interface SigningKey {
  /** The JWK's thumbprint (RFC 7638). */
  kid: string;
  /** DER of the self-signed certificate, which carries the public key. */
  certificate: Uint8Array;
  /** DER of the PKCS #8 private key, enveloped. */
  sealed: Uint8Array;
  /** When verifiers could first fetch it, in milliseconds since the epoch. */
  publishedAt: number;
}

/** A key that signs no more. */
export interface FormerKey extends Omit<SigningKey, 'sealed'> {
  /** Until when it is published, in milliseconds since the epoch: then its last token has ended. */
  until: number;
}

/**
 * The keys of an environment's access tokens, in one row that bears the environment's id: whoever signs or publishes reads
 * one item, and of two that make it at once one wins. About 6 KB.
 */
const SigningKeysEntity = entity({
  model: model('signing-keys'),
  attributes: {
    ...recordAttributes,
    ...ownedAttributes,
    /** Signs. A {@link SigningKey}, like `next`. */
    current: { type: 'any', required: true },
    /** Published before it signs, so that verifiers know it by then. */
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

export const signingKeys = collection(SigningKeysEntity);

/** An environment's keys: one strongly consistent GetItem. */
export const signingKeysOf = (environmentId: string): Promise<SigningKeysRecord | undefined> =>
  signingKeys.get(environmentId, environmentId);

import { collection } from '../storage/collection.ts';
import { ownedRecord } from '../storage/record.ts';
import { type RecordOf, entity } from '../storage/entity.ts';

/** One RSA key pair of an environment. */
export interface SigningKey {
  /** The JWK's thumbprint (RFC 7638). */
  kid: string;
  /** The self-signed certificate in DER, which contains the public key. */
  certificate: Uint8Array;
  /** The PKCS #8 private key in DER, encrypted. */
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
 * The two key sets of an environment. Official clients accept every token that a key of `/sso/jwks/{clientId}` signed as
 * one of a session or an agent, and check neither `aud` nor `typ`. So `sessions` signs only tokens of sessions and agents,
 * and `connect` signs the tokens that third parties, widgets and browsers receive.
 */
export type KeySet = 'sessions' | 'connect';

export const keySets: readonly KeySet[] = ['sessions', 'connect'];

/**
 * A key set of an environment, in one row of about 6 KB. Signing and publishing read one item, and of two concurrent calls
 * that create it only one succeeds.
 */
const SigningKeysEntity = entity(
  ownedRecord('signing-keys', {
    /** The signing key. A {@link SigningKey}, like `next`. */
    current: { type: 'any', required: true },
    /** The next signing key, published in advance so that verifiers know it. */
    next: { type: 'any', required: true },
    /** A list of {@link FormerKey}. */
    former: { type: 'any', required: true },
  }),
);

type Stored = RecordOf<typeof SigningKeysEntity>;

export interface SigningKeysRecord extends Stored {
  current: SigningKey;
  next: SigningKey;
  former: FormerKey[];
}

export const signingKeys = collection(SigningKeysEntity, 'silent');

/**
 * The id of a key set's row. The row of `sessions` has the id of the environment, as it had before there was another set.
 */
export const keySetId = (environmentId: string, set: KeySet): string =>
  set === 'sessions' ? environmentId : `${environmentId}_${set}`;

/** A key set of an environment, by one strongly consistent GetItem. */
export const findSigningKeys = (environmentId: string, set: KeySet): Promise<SigningKeysRecord | undefined> =>
  signingKeys.get(environmentId, keySetId(environmentId, set));

import { sha256Hex } from '../../../kernel/keys/hash.ts';
import { collection } from '../../../kernel/storage/collection.ts';
import { entity, type RecordOf } from '../../../kernel/storage/entity.ts';
import {
  model,
  ownedAttributes,
  ownedIndex,
  ownedRecord,
  recordAttributes,
  recordKey,
} from '../../../kernel/storage/record.ts';
import { findHolder } from '../../../kernel/storage/unique.ts';

/** A passkey of a user: a credential of Web Authentication (https://www.w3.org/TR/webauthn-3/). */
const PasskeyEntity = entity(
  ownedRecord('passkey', {
    userId: { type: 'string', required: true, readOnly: true },
    /** The id that the authenticator gave the credential, in base64url. */
    credentialId: { type: 'string', required: true, readOnly: true },
    /** The public key as a COSE key (RFC 9052), in base64url. */
    publicKey: { type: 'string', required: true, readOnly: true },
    /** The user handle that the authenticator stores with the credential, in base64url. */
    userHandle: { type: 'string', required: true, readOnly: true },
    /** The domain for which browsers offer the passkey: the host of the service when the passkey was created. */
    rpId: { type: 'string', required: true, readOnly: true },
    /** The name by which the user distinguishes the passkeys. */
    name: { type: 'string', required: true },
    /** The signature counter of the last accepted response; 0 if the authenticator does not count. */
    counter: { type: 'number', required: true },
    /** The ways in which browsers reach the authenticator, such as `internal` or `usb`. */
    transports: { type: 'list', items: { type: 'string' }, required: true },
    /** True if the authenticator may copy the passkey to other devices of its user (backup eligible). */
    canBeBackedUp: { type: 'boolean', required: true },
    isBackedUp: { type: 'boolean', required: true },
    /** True if the authenticator has verified its user, by a PIN or biometrics. Only then it is a first factor. */
    verifiesUser: { type: 'boolean', required: true },
    lastUsedAt: { type: 'string' },
    /** The last time when its counter went backwards, which a copy of the authenticator may have caused (ISO 8601). */
    counterWentBackAt: { type: 'string' },
  }),
);

export type PasskeyRecord = RecordOf<typeof PasskeyEntity>;

/** Passkeys by id: `get` is one strongly consistent GetItem. */
export const passkeys = collection(PasskeyEntity, 'silent');

/**
 * The ids of a user's passkeys, in a separate row, so that their list is strongly consistent and their number exact. It also
 * has the user's handle, which is the same for all passkeys of a user that this service creates.
 */
const UserPasskeysEntity = entity({
  model: model('user-passkeys'),
  attributes: {
    ...recordAttributes,
    ...ownedAttributes,
    /** 32 random bytes in base64url. It names the user to authenticators, and contains nothing about them. */
    userHandle: { type: 'string', required: true, readOnly: true },
    passkeyIds: { type: 'list', items: { type: 'string' }, required: true },
  },
  // The user's id.
  indexes: { primary: recordKey('user-passkeys'), owned: ownedIndex },
});

/** The lists of users' passkeys, by the users' ids. */
export const userPasskeys = collection(UserPasskeysEntity, 'internal');

/** Maximum passkeys of a user. */
export const MOST_PASSKEYS = 20;

/** A user's passkeys, the oldest first, by one strongly consistent GetItem, and a BatchGetItem after it if there are any. */
export async function findPasskeys(environmentId: string, userId: string): Promise<PasskeyRecord[]> {
  const listed = await userPasskeys.get(environmentId, userId);
  return listed === undefined ? [] : passkeys.getMany(environmentId, listed.passkeyIds);
}

/** A passkey by its id, by one strongly consistent GetItem. */
export const findPasskey = (environmentId: string, id: string): Promise<PasskeyRecord | undefined> =>
  passkeys.get(environmentId, id);

/** The unique value of a credential in an environment: a hash, because an authenticator may choose up to 1,023 bytes. */
export const makeCredentialValue = (environmentId: string, credentialId: string) => ({
  environmentId,
  kind: 'passkey.credential',
  value: sha256Hex(credentialId),
});

/** The user and the passkey that have a credential, as its unique value names them. */
export const makeHolder = ({ userId, id }: Pick<PasskeyRecord, 'userId' | 'id'>): string => `${userId}/${id}`;

/** The ids of the user and of the passkey with a credential, by one GetItem; undefined if the environment has none. */
export async function findOwnerOfCredential(
  environmentId: string,
  credentialId: string,
): Promise<{ userId: string; passkeyId: string } | undefined> {
  const [userId, passkeyId] = (await findHolder(makeCredentialValue(environmentId, credentialId)))?.split('/') ?? [];
  return userId === undefined || passkeyId === undefined ? undefined : { userId, passkeyId };
}

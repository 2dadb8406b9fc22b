import { DecryptCommand, GenerateDataKeyCommand } from '@aws-sdk/client-kms';
import { DeleteCommand, GetCommand, PutCommand, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';

import { clock } from '../clock.ts';
import { awaitAll } from '../concurrency.ts';
import { newUuid } from '../ids.ts';
import { settings } from '../settings.ts';
import { tableClient } from '../storage/client.ts';
import { isConditionFailure } from '../storage/faults.ts';
import type { Write } from '../storage/write.ts';
import { decrypt, encrypt } from './cipher.ts';
import { SealedValueError } from './errors.ts';
import { sha256Hex } from './hash.ts';
import { KeyCache } from './key-cache.ts';
import { rethrowKmsError } from './kms-key-wrapper.ts';
import { kmsClient } from './shared.ts';
import { keyPurpose } from './key-wrapper.ts';

/**
 * A key of an organization that can be destroyed: random bytes wrapped by KMS, in the small table that has neither
 * point-in-time recovery nor backup nor stream. Values encrypted with such a key are unreadable once the bytes are removed
 * from its row, even those in backups of the main table.
 */
export interface OrganizationKey {
  keyId: string;
  /** The key's bytes, encrypted with the stage's KMS key; absent once the key is destroyed. */
  wrappedKey?: Uint8Array;
  /**
   * The id of the organization's own KMS key (`mrk-…`), if the environment requires one. It is no ARN, because the id means the
   * key's replica in every region.
   */
  kmsKeyId?: string;
  createdAt?: string;
  /** The time when the key was destroyed. It is set permanently: a destroyed key is never replaced. */
  destroyedAt?: string;
}

/** A key that can be used. */
export type LivingKey = OrganizationKey & { wrappedKey: Uint8Array };

/** Time for which a key's bytes stay in an instance's memory, in milliseconds. */
const ORGANIZATION_KEY_CACHE_MS = 60_000;

const keyCache = new KeyCache<{ plaintext: Uint8Array }>({
  now: clock.now,
  maxAgeMs: ORGANIZATION_KEY_CACHE_MS,
  maxUses: Infinity,
  maxKeys: 1_000,
});

const rowKey = (environmentId: string, organizationId: string) => ({
  pk: `${environmentId}#organization-key#${organizationId}`,
  sk: 'record',
});

/**
 * Registers an organization that has a key, so that the keys of an environment can be listed: the key table has no
 * index.
 */
const namingKey = (environmentId: string, organizationId: string) => ({
  pk: `${environmentId}#organization-keys`,
  sk: sha256Hex(organizationId),
});

const makeContext = (environmentId: string, organizationId: string, keyId: string): Record<string, string> => ({
  environment_id: environmentId,
  organization_id: organizationId,
  purpose: keyPurpose('organization-key'),
  key_id: keyId,
});

/** Reads the key of an organization, destroyed or not, by one strongly consistent GetItem of the key table. */
export async function findOrganizationKey(
  environmentId: string,
  organizationId: string,
): Promise<OrganizationKey | undefined> {
  const { Item } = await tableClient().send(
    new GetCommand({
      TableName: settings().GATEHOUSE_KEY_TABLE,
      Key: rowKey(environmentId, organizationId),
      ConsistentRead: true,
    }),
  );
  return Item as OrganizationKey | undefined;
}

export const isLiving = (key: OrganizationKey): key is LivingKey =>
  key.destroyedAt === undefined && key.wrappedKey !== undefined;

/**
 * Makes a key for an organization that has none, or returns its key if another call was faster.
 * @returns possibly a key that was destroyed since: the row of a destroyed key is never overwritten
 */
export async function createOrganizationKey(
  environmentId: string,
  organizationId: string,
  kmsKeyId?: string,
): Promise<OrganizationKey> {
  const keyId = newUuid();
  const command = new GenerateDataKeyCommand({
    KeyId: settings().GATEHOUSE_KMS_KEY,
    KeySpec: 'AES_256',
    EncryptionContext: makeContext(environmentId, organizationId, keyId),
  });
  const [{ Plaintext, CiphertextBlob }] = await awaitAll([
    kmsClient().send(command).catch(rethrowKmsError),
    // The registration is written before the key, so that no key is missed; a registration without a key is harmless.
    nameOrganization(environmentId, organizationId),
  ]);
  if (Plaintext === undefined || CiphertextBlob === undefined) throw new SealedValueError();
  Plaintext.fill(0);
  const key: OrganizationKey = {
    keyId,
    wrappedKey: CiphertextBlob,
    createdAt: clock.timestamp(),
    ...(kmsKeyId === undefined ? {} : { kmsKeyId }),
  };
  try {
    await tableClient().send(
      new PutCommand({
        TableName: settings().GATEHOUSE_KEY_TABLE,
        Item: { ...rowKey(environmentId, organizationId), ...key },
        ConditionExpression: 'attribute_not_exists(pk)',
      }),
    );
    return key;
  } catch (error) {
    if (!isConditionFailure(error)) throw error;
    return (await findOrganizationKey(environmentId, organizationId)) ?? key;
  }
}

/**
 * The write that destroys the key of an organization, for the transaction that deletes the organization. From that commit
 * on no value encrypted with the key is readable. An organization without a key gets the mark as well, so that no key is
 * made for it later.
 */
export function destroyOrganizationKey(environmentId: string, organizationId: string): Write {
  return { kind: 'Update', params: destruction(environmentId, organizationId) };
}

const destruction = (environmentId: string, organizationId: string) => ({
  TableName: settings().GATEHOUSE_KEY_TABLE,
  Key: rowKey(environmentId, organizationId),
  UpdateExpression: 'SET destroyedAt = if_not_exists(destroyedAt, :now) REMOVE wrappedKey',
  ExpressionAttributeValues: { ':now': clock.timestamp() },
});

async function nameOrganization(environmentId: string, organizationId: string): Promise<void> {
  const Item = { ...namingKey(environmentId, organizationId), organizationId };
  await tableClient().send(new PutCommand({ TableName: settings().GATEHOUSE_KEY_TABLE, Item }));
}

/**
 * Destroys the keys of all organizations of an environment, one by one, when the environment is deleted. An
 * organization stays registered until `follow` has finished, so that an interrupted run can be repeated.
 * @param follow gets each organization and its destroyed key
 * @returns the number of keys
 */
export async function destroyOrganizationKeys(
  environmentId: string,
  follow: (organizationId: string, key: OrganizationKey) => Promise<void>,
): Promise<number> {
  const TableName = settings().GATEHOUSE_KEY_TABLE;
  let destroyed = 0;
  for (;;) {
    const { Items = [] } = await tableClient().send(
      new QueryCommand({
        TableName,
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': namingKey(environmentId, '').pk },
        ConsistentRead: true,
        Limit: 100,
      }),
    );
    if (Items.length === 0) return destroyed;
    for (const { organizationId } of Items as { organizationId: string }[]) {
      const command = new UpdateCommand({ ...destruction(environmentId, organizationId), ReturnValues: 'ALL_NEW' });
      await follow(organizationId, (await tableClient().send(command)).Attributes as OrganizationKey);
      await tableClient().send(new DeleteCommand({ TableName, Key: namingKey(environmentId, organizationId) }));
      destroyed += 1;
    }
  }
}

/** Encrypts bytes under an organization's key; decryption needs the same `additional`. */
export const sealUnder = (place: KeyPlace, additional: Uint8Array, plaintext: Uint8Array): Promise<Buffer> =>
  withKey(place, (key) => encrypt(key, additional, plaintext));

/**
 * Decrypts the output of {@link sealUnder}.
 * @throws SealedValueError for anything else
 */
export const openUnder = (place: KeyPlace, additional: Uint8Array, sealed: Uint8Array): Promise<Buffer> =>
  withKey(place, (key) => decrypt(key, additional, sealed));

/** The organization with its key, in the state in which the row was just read. */
export interface KeyPlace {
  environmentId: string;
  organizationId: string;
  key: LivingKey;
}

function withKey<T>({ environmentId, organizationId, key }: KeyPlace, work: (key: Uint8Array) => T): Promise<T> {
  const load = async () => {
    const command = new DecryptCommand({
      KeyId: settings().GATEHOUSE_KMS_KEY,
      CiphertextBlob: key.wrappedKey,
      EncryptionContext: makeContext(environmentId, organizationId, key.keyId),
    });
    const { Plaintext } = await kmsClient().send(command).catch(rethrowKmsError);
    if (Plaintext === undefined) throw new SealedValueError();
    return { plaintext: Plaintext };
  };
  // The wrapped bytes are part of the cache key: a cached key belongs to exactly the row that was read.
  const id = `${environmentId}#${organizationId}#${Buffer.from(key.wrappedKey).toString('base64')}`;
  return keyCache.use(id, load, ({ plaintext }) => work(plaintext));
}

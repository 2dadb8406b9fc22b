import { randomBytes, randomUUID } from 'node:crypto';
import * as z from 'zod';
import { account, AwsError, operation } from '../aws-json.ts';
import type { Operation } from '../aws-json.ts';
import { algorithms, keySpecs, newMaterial } from './key-spec.ts';
import { MULTI_REGION } from './ciphertext.ts';
import type { KeySpec } from './key-spec.ts';
import type { Key, KeyStore } from './key-store.ts';

const dayMs = 86_400_000;
const seconds = (milliseconds: number) => milliseconds / 1000;

const keyId = z.string().min(1).max(2048);
const byKey = z.strictObject({ KeyId: keyId });

/** The input of CreateKey. Members that have no effect here are accepted; members that would have one are rejected. */
const createKeyInput = z.strictObject({
  Description: z.string().max(8192).default(''),
  KeySpec: z.enum(Object.keys(keySpecs) as KeySpec[]).default('SYMMETRIC_DEFAULT'),
  KeyUsage: z.enum(['ENCRYPT_DECRYPT', 'SIGN_VERIFY']).default('ENCRYPT_DECRYPT'),
  Tags: z.array(z.strictObject({ TagKey: z.string(), TagValue: z.string() })).optional(),
  Policy: z.string().optional(),
  BypassPolicyLockoutSafetyCheck: z.boolean().optional(),
  Origin: z.literal('AWS_KMS').optional(),
  MultiRegion: z.boolean().default(false),
});

function metadata(store: KeyStore, key: Key): object {
  return {
    AWSAccountId: account,
    KeyId: key.id,
    Arn: key.arn,
    CreationDate: seconds(key.created),
    Enabled: key.state === 'Enabled',
    Description: key.description,
    KeyUsage: key.usage,
    KeyState: key.state,
    ...(key.deletionAt === null ? {} : { DeletionDate: seconds(key.deletionAt) }),
    Origin: 'AWS_KMS',
    KeyManager: 'CUSTOMER',
    CustomerMasterKeySpec: key.spec,
    KeySpec: key.spec,
    ...algorithms(key.spec),
    MultiRegion: key.id.startsWith(MULTI_REGION),
    ...(key.spec === 'SYMMETRIC_DEFAULT' ? { CurrentKeyMaterialId: store.material(key.id).id } : {}),
  };
}

/**
 * Checks that a key's deletion is not pending.
 * @throws AwsError KMSInvalidStateException
 */
function notPending(key: Key): Key {
  if (key.state === 'PendingDeletion') {
    throw new AwsError('KMSInvalidStateException', `${key.arn} is pending deletion.`);
  }
  return key;
}

/** Operations on keys themselves and their state. */
export function lifecycleOperations(store: KeyStore, now: () => number): Record<string, Operation> {
  const setState = (state: 'Enabled' | 'Disabled') =>
    operation(byKey, ({ KeyId }) => {
      store.update({ ...notPending(store.find(KeyId)), state });
      return undefined;
    });
  return {
    CreateKey: operation(createKeyInput, async ({ KeySpec, KeyUsage, Description, MultiRegion }) => {
      if (keySpecs[KeySpec] !== KeyUsage) {
        throw new AwsError('ValidationException', `KeyUsage ${KeyUsage} is not compatible with KeySpec ${KeySpec}.`);
      }
      const secret = await newMaterial(KeySpec);
      const id = MultiRegion ? MULTI_REGION + randomBytes(16).toString('hex') : randomUUID();
      const key = { id, spec: KeySpec, usage: KeyUsage, description: Description, keptAlias: null };
      return { KeyMetadata: metadata(store, store.create(key, secret)) };
    }),
    DescribeKey: operation(
      z.strictObject({ KeyId: keyId, GrantTokens: z.array(z.string()).optional() }),
      ({ KeyId }) => ({
        KeyMetadata: metadata(store, store.resolve(KeyId)),
      }),
    ),
    EnableKey: setState('Enabled'),
    DisableKey: setState('Disabled'),
    ScheduleKeyDeletion: operation(
      z.strictObject({ KeyId: keyId, PendingWindowInDays: z.int().min(7).max(30).default(30) }),
      ({ KeyId, PendingWindowInDays }) => {
        const key = notPending(store.find(KeyId));
        const deletionAt = now() + PendingWindowInDays * dayMs;
        store.update({ ...key, state: 'PendingDeletion', deletionAt });
        return { KeyId: key.arn, DeletionDate: seconds(deletionAt), KeyState: 'PendingDeletion', PendingWindowInDays };
      },
    ),
    RotateKeyOnDemand: operation(byKey, async ({ KeyId }) => {
      const key = store.usable(store.find(KeyId), 'ENCRYPT_DECRYPT');
      store.addMaterial(key.id, await newMaterial(key.spec));
      return { KeyId: key.arn };
    }),
  };
}

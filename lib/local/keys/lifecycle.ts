import { randomBytes, randomUUID } from 'node:crypto';
import * as z from 'zod';
import { account, AwsError, operation, page } from '../aws-json.ts';
import type { Operation } from '../aws-json.ts';
import { keySpecs, newMaterial, derivePublicKey } from './key-spec.ts';
import type { KeySpec, KeyUsage } from './key-spec.ts';
import { makeArn } from './key-store.ts';
import type { Key, KeyStore } from './key-store.ts';

const dayMs = 86_400_000;
const onDemandRotations = 25;
const seconds = (milliseconds: number) => milliseconds / 1000;

const keyId = z.string().min(1).max(2048);
const byKey = z.strictObject({ KeyId: keyId });
const paging = { Limit: z.int().min(1).max(1000).default(100), Marker: z.string().min(1).max(1024).optional() };
const aliasName = z
  .string()
  .max(256)
  .regex(/^alias\/[a-zA-Z0-9/_-]+$/, 'Member must be alias/ and letters, digits, /, _ or -');
const tags = z.array(z.strictObject({ TagKey: z.string().min(1).max(128), TagValue: z.string().max(256) }));
const tagMap = (list: z.output<typeof tags>) => new Map(list.map(({ TagKey, TagValue }) => [TagKey, TagValue]));

/** Members of CreateKey that have no effect here are accepted; members that would have one are rejected. */
const createKeyInput = z.strictObject({
  Description: z.string().max(8192).default(''),
  KeySpec: z.enum(Object.keys(keySpecs) as KeySpec[]).default('SYMMETRIC_DEFAULT'),
  KeyUsage: z.enum(['ENCRYPT_DECRYPT', 'SIGN_VERIFY', 'GENERATE_VERIFY_MAC']).default('ENCRYPT_DECRYPT'),
  Tags: tags.default([]),
  Policy: z.string().optional(),
  BypassPolicyLockoutSafetyCheck: z.boolean().optional(),
  Origin: z.literal('AWS_KMS').optional(),
  MultiRegion: z.literal(false).optional(),
});

/** Operations on keys themselves: their state, names, rotation and tags. */
export function lifecycleOperations(store: KeyStore, now: () => number): Record<string, Operation> {
  return { ...lives(store, now), ...names(store), ...rotations(store, now), ...tagging(store) };
}

/** The algorithm members of a response about a key. */
export function algorithms(spec: KeySpec, usage: KeyUsage): object {
  const member = {
    ENCRYPT_DECRYPT: 'EncryptionAlgorithms',
    SIGN_VERIFY: 'SigningAlgorithms',
    GENERATE_VERIFY_MAC: 'MacAlgorithms',
  }[usage];
  return { [member]: keySpecs[spec][usage] };
}

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
    ...algorithms(key.spec, key.usage),
    MultiRegion: false,
    ...(key.spec === 'SYMMETRIC_DEFAULT' ? { CurrentKeyMaterialId: store.material(key.id).id } : {}),
  };
}

/** @throws AwsError KMSInvalidStateException */
function notPending(key: Key): Key {
  if (key.state === 'PendingDeletion') {
    throw new AwsError('KMSInvalidStateException', `${key.arn} is pending deletion.`);
  }
  return key;
}

function lives(store: KeyStore, now: () => number): Record<string, Operation> {
  const setState = (state: 'Enabled' | 'Disabled') =>
    operation(byKey, ({ KeyId }) => {
      store.update({ ...notPending(store.find(KeyId)), state });
      return undefined;
    });
  return {
    CreateKey: operation(createKeyInput, async ({ KeySpec, KeyUsage, Description, Tags }) => {
      const usages: readonly KeyUsage[] = keySpecs[KeySpec].usages;
      if (!usages.includes(KeyUsage)) {
        throw new AwsError('ValidationException', `KeyUsage ${KeyUsage} is not compatible with KeySpec ${KeySpec}.`);
      }
      const secret = await newMaterial(KeySpec);
      const key = { id: randomUUID(), spec: KeySpec, usage: KeyUsage, description: Description, keptAlias: null };
      return { KeyMetadata: metadata(store, store.create(key, secret, tagMap(Tags))) };
    }),
    DescribeKey: operation(
      z.strictObject({ KeyId: keyId, GrantTokens: z.array(z.string()).optional() }),
      ({ KeyId }) => ({
        KeyMetadata: metadata(store, store.resolve(KeyId)),
      }),
    ),
    ListKeys: operation(z.strictObject(paging), ({ Limit, Marker }) => {
      const { rows, next } = page(store.keys(), ({ id }) => id, Limit, Marker);
      return { Keys: rows.map(({ id, arn }) => ({ KeyId: id, KeyArn: arn })), Truncated: !!next, NextMarker: next };
    }),
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
    CancelKeyDeletion: operation(byKey, ({ KeyId }) => {
      const key = store.find(KeyId);
      if (key.state !== 'PendingDeletion') {
        throw new AwsError('KMSInvalidStateException', `${key.arn} is not pending deletion.`);
      }
      store.update({ ...key, state: 'Disabled', deletionAt: null });
      return { KeyId: key.arn };
    }),
    GetPublicKey: operation(
      z.strictObject({ KeyId: keyId, GrantTokens: z.array(z.string()).optional() }),
      ({ KeyId }) => {
        const found = store.resolve(KeyId);
        const key = store.usable(found, found.usage);
        if (!/^(RSA|ECC)_/.test(key.spec)) {
          throw new AwsError('UnsupportedOperationException', `${key.arn} has no public key.`);
        }
        return {
          KeyId: key.arn,
          PublicKey: derivePublicKey(store.material(key.id).secret)
            .export({ format: 'der', type: 'spki' })
            .toString('base64'),
          CustomerMasterKeySpec: key.spec,
          KeySpec: key.spec,
          KeyUsage: key.usage,
          ...algorithms(key.spec, key.usage),
        };
      },
    ),
  };
}

function names(store: KeyStore): Record<string, Operation> {
  return {
    CreateAlias: operation(
      z.strictObject({ AliasName: aliasName, TargetKeyId: keyId }),
      ({ AliasName, TargetKeyId }) => {
        if (AliasName.startsWith('alias/aws/')) {
          throw new AwsError('InvalidAliasNameException', 'alias/aws/ is reserved.');
        }
        store.createAlias(AliasName, notPending(store.find(TargetKeyId)).id);
        return undefined;
      },
    ),
    DeleteAlias: operation(z.strictObject({ AliasName: aliasName }), ({ AliasName }) => {
      store.deleteAlias(AliasName);
      return undefined;
    }),
    ListAliases: operation(z.strictObject({ KeyId: keyId.optional(), ...paging }), ({ KeyId, Limit, Marker }) => {
      const target = KeyId === undefined ? undefined : store.find(KeyId).id;
      const all = store.aliases().filter((alias) => target === undefined || alias.keyId === target);
      const { rows, next } = page(all, ({ name }) => name, Limit, Marker);
      return {
        Aliases: rows.map((alias) => ({
          AliasName: alias.name,
          AliasArn: makeArn(alias.name),
          TargetKeyId: alias.keyId,
          CreationDate: seconds(alias.created),
          LastUpdatedDate: seconds(alias.created),
        })),
        Truncated: !!next,
        NextMarker: next,
      };
    }),
  };
}

function rotations(store: KeyStore, now: () => number): Record<string, Operation> {
  const rotatable = (reference: string) => {
    const key = store.find(reference);
    if (key.spec !== 'SYMMETRIC_DEFAULT') {
      throw new AwsError('UnsupportedOperationException', `${key.arn} is not symmetric and cannot be rotated.`);
    }
    return store.usable(key, 'ENCRYPT_DECRYPT');
  };
  return {
    EnableKeyRotation: operation(
      z.strictObject({ KeyId: keyId, RotationPeriodInDays: z.int().min(90).max(2560).default(365) }),
      ({ KeyId, RotationPeriodInDays: rotationDays }) => {
        store.update({ ...rotatable(KeyId), rotationDays, rotatesAt: now() + rotationDays * dayMs });
        return undefined;
      },
    ),
    DisableKeyRotation: operation(byKey, ({ KeyId }) => {
      store.update({ ...rotatable(KeyId), rotationDays: null, rotatesAt: null });
      return undefined;
    }),
    GetKeyRotationStatus: operation(byKey, ({ KeyId }) => {
      const { arn, rotationDays, rotatesAt } = store.find(KeyId);
      if (rotationDays === null || rotatesAt === null) return { KeyId: arn, KeyRotationEnabled: false };
      return {
        KeyId: arn,
        KeyRotationEnabled: true,
        RotationPeriodInDays: rotationDays,
        NextRotationDate: seconds(rotatesAt),
      };
    }),
    RotateKeyOnDemand: operation(byKey, ({ KeyId }) => {
      const key = rotatable(KeyId);
      if (store.materials(key.id).filter(({ rotation }) => rotation === 'ON_DEMAND').length >= onDemandRotations) {
        throw new AwsError('LimitExceededException', `${key.arn} was rotated on demand ${onDemandRotations} times.`);
      }
      store.addMaterial(key.id, randomBytes(32), 'ON_DEMAND');
      return { KeyId: key.arn };
    }),
    ListKeyRotations: operation(
      z.strictObject({
        KeyId: keyId,
        IncludeKeyMaterial: z.enum(['ALL_KEY_MATERIAL', 'ROTATIONS_ONLY']).default('ROTATIONS_ONLY'),
        ...paging,
      }),
      ({ KeyId, IncludeKeyMaterial, Limit, Marker }) => {
        const key = store.find(KeyId);
        const ordered = store
          .materials(key.id)
          .map((material, index) => ({ ...material, order: String(index).padStart(6, '0') }));
        const current = ordered.at(-1)?.id;
        const listed = ordered.filter(({ rotation }) => rotation !== null || IncludeKeyMaterial === 'ALL_KEY_MATERIAL');
        const { rows, next } = page(listed, ({ order }) => order, Limit, Marker);
        return {
          Rotations: rows.map(({ id, created, rotation }) => ({
            KeyId: key.arn,
            KeyMaterialId: id,
            KeyMaterialState: id === current ? 'CURRENT' : 'NON_CURRENT',
            ...(rotation === null ? {} : { RotationDate: seconds(created), RotationType: rotation }),
          })),
          Truncated: !!next,
          NextMarker: next,
        };
      },
    ),
  };
}

function tagging(store: KeyStore): Record<string, Operation> {
  return {
    TagResource: operation(z.strictObject({ KeyId: keyId, Tags: tags }), ({ KeyId, Tags }) => {
      store.tag(notPending(store.find(KeyId)).id, tagMap(Tags));
      return undefined;
    }),
    ListResourceTags: operation(z.strictObject({ KeyId: keyId, ...paging }), ({ KeyId, Limit, Marker }) => {
      const { rows, next } = page(store.tags(store.find(KeyId).id), ({ name }) => name, Limit, Marker);
      return {
        Tags: rows.map(({ name, value }) => ({ TagKey: name, TagValue: value })),
        Truncated: !!next,
        NextMarker: next,
      };
    }),
  };
}

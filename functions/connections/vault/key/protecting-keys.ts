import { createHash } from 'node:crypto';
import { CreateKeyCommand, ScheduleKeyDeletionCommand } from '@aws-sdk/client-kms';
import type { Actor } from '../../../kernel/authentication/caller.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import { isId, uuidText } from '../../../kernel/id-format.ts';
import { KeyServiceUnavailable, SealedValueError } from '../../../kernel/keys/errors.ts';
import { sortedPairs } from '../../../kernel/keys/key-wrapper.ts';
import { rethrowKmsError } from '../../../kernel/keys/kms-key-wrapper.ts';
import {
  createOrganizationKey,
  findOrganizationKey,
  isLiving,
  type LivingKey,
  type OrganizationKey,
} from '../../../kernel/keys/organization-keys.ts';
import { kmsClient } from '../../../kernel/keys/shared.ts';
import { LruMap } from '../../../kernel/memory.ts';
import { settings } from '../../../kernel/settings.ts';
import { ENVIRONMENT_OWNER, ownerKey } from '../../../kernel/storage/record.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import { findOrganization } from '../../../tenancy/organizations/public.ts';
import { hashCustomerKey, customerKeys } from '../customer-key/entity.ts';
import { contextKeys, vaultSettings } from './entity.ts';
import { CustomerKeyAmbiguous, OrganizationKeyDestroyed } from './errors.ts';
import { type Context, keyName, organizationOf } from './rules.ts';
import type { VaultScope } from './wrapped-key.ts';

/** Days until KMS deletes a key permanently, which is the shortest wait that it allows. */
export const KMS_DELETION_DAYS = 7;

/** The keys that currently protect a context. */
export interface ProtectingKeys {
  environmentId: string;
  context: Context;
  organizationId: string | undefined;
  organizationKey: LivingKey | undefined;
  /** The KMS key: the ARN of the customer's, the id of the organization's own, or empty for the stage's. */
  root: string;
  /** Id of the context's key: the same for the same context and root. */
  keyId: string;
}

/**
 * Finds the keys of a context for encryption in one round trip, a BatchGetItem in parallel with a GetItem. The first use of
 * an organization creates its key.
 * @throws OrganizationKeyDestroyed, CustomerKeyAmbiguous
 */
export async function findProtectingKeys(environmentId: string, context: Context): Promise<ProtectingKeys> {
  const organizationId = organizationOf(context);
  const [customerKey, organizationKey] = await awaitAll([
    findCustomerKey(environmentId, context),
    organizationId === undefined ? undefined : keyToSealUnder(environmentId, organizationId),
  ]);
  const root = customerKey ?? organizationKey?.kmsKeyId ?? '';
  const keyId = contextKeyId(environmentId, context, root);
  return { environmentId, context, organizationId, organizationKey, root, keyId };
}

/**
 * The scope of a data key under the keys of a context. `own` are entries of the service to which the data key is bound as
 * well.
 */
export function makeScope(keys: ProtectingKeys, purpose: VaultScope['purpose'], own: Context): VaultScope {
  const { environmentId, context, organizationId, organizationKey, root } = keys;
  return {
    environmentId,
    purpose,
    context: { ...context, ...own },
    root,
    ...(organizationId === undefined ? {} : { organizationId }),
    ...(organizationKey === undefined ? {} : { organizationKey }),
  };
}

/**
 * The key of an organization for decryption. A value whose organization has no key is unreadable.
 * @throws OrganizationKeyDestroyed; SealedValueError if the environment never had a key for the organization
 */
export async function keyToOpenUnder(environmentId: string, organizationId: string): Promise<LivingKey> {
  const key = await findOrganizationKey(environmentId, organizationId);
  if (key === undefined) throw new SealedValueError();
  return living(key);
}

function living(key: OrganizationKey): LivingKey {
  if (!isLiving(key)) throw new OrganizationKeyDestroyed();
  return key;
}

async function keyToSealUnder(environmentId: string, organizationId: string): Promise<LivingKey> {
  const key = await findOrganizationKey(environmentId, organizationId);
  return living(key ?? (await makeOrganizationKey(environmentId, organizationId)));
}

async function makeOrganizationKey(environmentId: string, organizationId: string): Promise<OrganizationKey> {
  const { organizationKeys } = (await vaultSettings.get(environmentId, 'settings')) ?? { organizationKeys: 'shared' };
  const isDedicated = organizationKeys === 'dedicated' && (await hasRecord(environmentId, organizationId));
  if (!isDedicated) return createOrganizationKey(environmentId, organizationId);
  const own = await createKmsKey(environmentId, organizationId);
  try {
    const key = await createOrganizationKey(environmentId, organizationId, own);
    if (key.kmsKeyId !== own) await deleteKmsKey(own);
    return key;
  } catch (error) {
    await keepOnlyWhatIsKnown(environmentId, organizationId, own);
    throw error;
  }
}

/** Deletes a KMS key to which no row refers: it would cost money every month, and its purpose would be unknown. */
async function keepOnlyWhatIsKnown(environmentId: string, organizationId: string, keyId: string): Promise<void> {
  const known = await findOrganizationKey(environmentId, organizationId);
  if (known?.kmsKeyId !== keyId) await deleteKmsKey(keyId);
}

/**
 * Reports whether an organization exists. A KMS key costs money every month, so a text that names no organization of the
 * environment gets none.
 */
const hasRecord = async (environmentId: string, organizationId: string): Promise<boolean> =>
  isId('org', organizationId) && (await findOrganization(environmentId, organizationId)) !== undefined;

/** Creates a multi-region key, which cannot become one later. @returns its id, which is the same in every region */
async function createKmsKey(environmentId: string, organizationId: string): Promise<string> {
  const command = new CreateKeyCommand({
    MultiRegion: true,
    Description: `Gatehouse ${settings().GATEHOUSE_STAGE}: ${organizationId}`,
    Tags: [
      { TagKey: 'gatehouse:stage', TagValue: settings().GATEHOUSE_STAGE },
      { TagKey: 'gatehouse:environment', TagValue: environmentId },
      { TagKey: 'gatehouse:organization', TagValue: organizationId.slice(0, 256) },
    ],
  });
  const { KeyMetadata } = await kmsClient().send(command).catch(rethrowKmsError);
  if (KeyMetadata?.KeyId === undefined) throw new KeyServiceUnavailable(new Error('a response without a key'));
  return KeyMetadata.KeyId;
}

/**
 * Schedules the deletion of a KMS key: KMS rejects every use from now on, and deletes the key material when the waiting
 * period ends.
 */
export async function deleteKmsKey(keyId: string): Promise<void> {
  const command = new ScheduleKeyDeletionCommand({ KeyId: keyId, PendingWindowInDays: KMS_DELETION_DAYS });
  await kmsClient().send(command).catch(ignorePending);
}

/** Ignores the error for a key that is already scheduled for deletion. */
function ignorePending(error: unknown): void {
  if (!(error instanceof Error) || error.name !== 'KMSInvalidStateException') rethrowKmsError(error);
}

/** The customer's KMS key to which an entry of a context is mapped. */
async function findCustomerKey(environmentId: string, context: Context): Promise<string | undefined> {
  const ids = Object.entries(context).map(([name, value]) => hashCustomerKey(name, value));
  const arns = new Set((await customerKeys.getMany(environmentId, ids)).map(({ keyArn }) => keyArn));
  if (arns.size > 1) throw new CustomerKeyAmbiguous();
  return [...arns][0];
}

/**
 * A UUID of version 8 (RFC 9562 section 5.8), derived from a context and a KMS key, so that the same pair always has the
 * same id.
 */
function contextKeyId(environmentId: string, context: Context, root: string): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([environmentId, root, sortedPairs(context)]))
    .digest();
  digest[6] = ((digest[6] ?? 0) & 0x0f) | 0x80;
  digest[8] = ((digest[8] ?? 0) & 0x3f) | 0x80;
  return uuidText(digest.toString('hex', 0, 16));
}

/** Keys whose first use was already reported by an event, as read from their rows. */
const reported = new LruMap<true>(10_000);

/** Stages the event and the row of a context's key if this is its first use. */
export async function stageFirstUse(
  unit: Unit<'vault.kek.created'>,
  actor: Actor,
  { environmentId, context, organizationId, root, keyId }: ProtectingKeys,
): Promise<void> {
  const place = `${environmentId}#${keyId}`;
  if (reported.get(place)) return;
  if ((await contextKeys.get(environmentId, keyId)) !== undefined) {
    reported.set(place, true);
    return;
  }
  const name = keyName(context);
  const owner = ownerFor(organizationId);
  unit.stage(contextKeys.create({ environmentId, id: keyId, owner, name, context: { ...context }, root }).write);
  unit.emit('vault.kek.created', { ...actorMembers(actor), key_name: name, key_id: keyId }, { organizationId });
}

/** The owner with which rows of a context are erased. */
export const ownerFor = (organizationId: string | undefined): string =>
  organizationId === undefined ? ENVIRONMENT_OWNER : ownerKey('organization', organizationId);

/** The actor of a change, in the form that the vault's events have. */
export const actorMembers = ({ id, source, name }: Actor) => ({
  actor_id: id,
  actor_source: source === 'dashboard' ? ('dashboard' as const) : ('api' as const),
  actor_name: name ?? id,
});

import { awaitAll } from '../../../kernel/concurrency.ts';
import { DAY_MS } from '../../../kernel/durations.ts';
import type { Actor } from '../../../kernel/authentication/caller.ts';
import { systemActor } from '../../../kernel/authentication/caller.ts';
import { clock } from '../../../kernel/clock.ts';
import { findOrganizationKey, isLiving } from '../../../kernel/keys/organization-keys.ts';
import { evidenceSigner } from '../../../kernel/keys/signer.ts';
import { log } from '../../../kernel/log.ts';
import { settings } from '../../../kernel/settings.ts';
import { applyWork } from '../../../kernel/storage/background.ts';
import { dueOn } from '../../../kernel/storage/due.ts';
import { ENVIRONMENT_OWNER } from '../../../kernel/storage/record.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import { actorMembers, deleteKmsKey, KMS_DELETION_DAYS } from '../key/protecting-keys.ts';
import { dueShreddings, type ShreddingRecord, shreddings } from './entity.ts';
import { SETTLING_MS, formatStatement } from './rules.ts';

const BATCH = 25;

/**
 * Handles the deletion of an organization, whose own commit destroyed its key: schedules the deletion of the
 * organization's own KMS key if there is one, emits the event, and schedules the receipt. It may run again.
 */
export async function shred(environmentId: string, organizationId: string, actor: Actor): Promise<void> {
  const key = await findOrganizationKey(environmentId, organizationId);
  // Without a key no value was encrypted with one, so there is nothing to state in a receipt.
  if (key?.keyId === undefined || isLiving(key)) return;
  const { keyId, kmsKeyId, createdAt: keyCreatedAt, destroyedAt = clock.timestamp() } = key;
  if (kmsKeyId !== undefined) await deleteKmsKey(kmsKeyId);
  const kmsDeletionAt =
    kmsKeyId === undefined ? undefined : new Date(clock.now() + KMS_DELETION_DAYS * DAY_MS).toISOString();
  await applyWork(environmentId, actor, async (unit: Unit) => {
    if ((await shreddings.get(environmentId, organizationId)) !== undefined) return;
    unit.stage(
      shreddings.create({
        environmentId,
        id: organizationId,
        owner: ENVIRONMENT_OWNER,
        keyId,
        kmsKeyId,
        kmsDeletionAt,
        keyCreatedAt,
        destroyedAt,
        ...dueOn(organizationId, Date.parse(destroyedAt) + SETTLING_MS),
      }).write,
    );
    const event = { ...actorMembers(actor), key_name: `organization_id=${organizationId}`, key_id: keyId };
    unit.emit('vault.kek.deleted', event, { organizationId });
  });
}

/** Signs the receipts that are due. After a failure, a receipt is due again at the next run. */
export async function signReceipts(): Promise<void> {
  for (const record of await dueShreddings(BATCH)) {
    try {
      await signReceipt(record);
    } catch (error) {
      log.error('a receipt was not signed', { organization_id: record.id, error });
    }
  }
}

async function signReceipt({ environmentId, id }: ShreddingRecord): Promise<void> {
  const [record, key] = await awaitAll([shreddings.get(environmentId, id), findOrganizationKey(environmentId, id)]);
  if (record === undefined || record.signature !== undefined) return;
  const checkedAt = clock.timestamp();
  if (key === undefined || isLiving(key) || key.keyId !== record.keyId || key.destroyedAt === undefined) {
    throw new Error('the key table does not say that this key was destroyed');
  }
  if (clock.now() < Date.parse(key.destroyedAt) + SETTLING_MS) return;
  const end = { ...record, stage: settings().GATEHOUSE_STAGE, organizationId: id };
  const statement = formatStatement(end, { checkedAt });
  const signer = evidenceSigner();
  const [signature, publicKey] = await awaitAll([signer.sign(statement), signer.publicKey()]);
  await applyWork(environmentId, systemActor, async (unit: Unit) => {
    const current = await shreddings.get(environmentId, id);
    if (current === undefined || current.signature !== undefined) return;
    const { write } = shreddings.revise(current, {
      statement,
      signature: Buffer.from(signature).toString('base64'),
      publicKey,
      signedAt: clock.timestamp(),
      dueShard: undefined,
      dueAt: undefined,
    });
    unit.stage(write);
  });
}

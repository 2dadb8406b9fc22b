import { systemActor } from '../../../kernel/authentication/caller.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import { applyWork } from '../../../kernel/storage/background.ts';
import type { Reading } from '../../../kernel/storage/range.ts';
import { ownerKey } from '../../../kernel/storage/record.ts';
import { type Task, workKind } from '../../../kernel/storage/work.ts';
import { findUser } from '../../../tenancy/modules/users/public.ts';
import { type AccountUnit, stageAccountRemoval } from '../connected-account/stage.ts';
import { findAllAccounts, type AccountRecord, connectedAccounts, readAgain } from '../connected-account/entity.ts';
import type { IntegrationRecord } from '../integration/entity.ts';

/** The work that removes the connected accounts of a deleted integration. */
export const integrationRemoval = workKind<{ integrationId: string }>('pipes.remove_integration', { runs: 2 });

/**
 * Maximum number of connected accounts removed in the transaction of the deletion, with three rows each in addition to the
 * integration's own.
 */
const AT_ONCE = 20;

const pageOfAccounts = (environmentId: string, integrationId: string): Promise<Reading<AccountRecord>> =>
  connectedAccounts.list('byIntegration', { environmentId, integrationId }).toPage({ scan: 'asc', limit: AT_ONCE });

/**
 * Stages the removal of an integration's first connected accounts, and the background removal of the others and of late
 * writes.
 */
export async function eraseWithRoot(unit: AccountUnit, { environmentId, id }: IntegrationRecord): Promise<void> {
  const { records } = await pageOfAccounts(environmentId, id);
  const found = await awaitAll(records.map(readAgain));
  for (const record of found) if (record !== undefined) stageAccountRemoval(unit, record);
  integrationRemoval.stage(unit, environmentId, { integrationId: id });
}

/** Removes some connected accounts of a deleted integration. @returns undefined if the index shows no further one */
export async function eraseSomeAccounts(task: Task<{ integrationId: string }>): Promise<string | undefined> {
  const { records, reached } = await pageOfAccounts(task.environmentId, task.data.integrationId);
  for (const record of records) await removeOne(record);
  return reached;
}

/** Removes the connected accounts of a deleted user, including those within an organization. */
export async function forgetUser(environmentId: string, userId: string): Promise<void> {
  for (const record of await findAllAccounts(environmentId, ownerKey('user', userId))) await removeOne(record);
}

/**
 * Removes the accounts that were connected before the user's address was first verified, which may belong to an earlier
 * owner of the address.
 */
export async function forgetEarlierHolder(environmentId: string, userId: string): Promise<void> {
  const user = await findUser(environmentId, userId);
  if (user === undefined) return;
  for (const record of await findAllAccounts(environmentId, ownerKey('user', userId))) {
    if ((record.ownershipEpoch ?? 0) !== (user.ownershipEpoch ?? 0)) await removeOne(record);
  }
}

async function removeOne(seen: AccountRecord): Promise<void> {
  await applyWork(seen.environmentId, systemActor, async (unit) => {
    const record = await readAgain(seen);
    if (record !== undefined) stageAccountRemoval(unit, record);
  });
}

import { systemActor } from '../../kernel/authentication/caller.ts';
import { clock } from '../../kernel/clock.ts';
import { applyWork } from '../../kernel/storage/background.ts';
import { dueOn } from '../../kernel/storage/due.ts';
import { ownerKey } from '../../kernel/storage/record.ts';
import { findUser } from '../../users/public.ts';
import { type AccountUnit, stageAccountRemoval } from '../connected-account/stage.ts';
import { findAllAccounts, type AccountRecord, connectedAccounts, readAgain } from '../connected-account/entity.ts';
import type { IntegrationRecord } from '../integration/entity.ts';
import { dueIntegrationErasures, integrationErasures } from './entity.ts';

/**
 * Maximum number of connected accounts removed in the transaction of the deletion, with three rows each in addition to the
 * integration's own.
 */
const AT_ONCE = 20;
/** Time in ms until the second sweep: longer than a call that read the integration before its deletion can still write. */
const SECOND_SWEEP_MS = 10 * 60_000;
const BATCH = 10;

const pageOfAccounts = (environmentId: string, integrationId: string): Promise<AccountRecord[]> =>
  connectedAccounts.list('byIntegration', { environmentId, integrationId }, { scan: 'asc', limit: AT_ONCE });

/**
 * Stages the removal of an integration's first connected accounts, and the background removal of the others and of late
 * writes.
 */
export async function eraseWithRoot(unit: AccountUnit, { environmentId, id }: IntegrationRecord): Promise<void> {
  const listed = await pageOfAccounts(environmentId, id);
  const found = await Promise.all(listed.map(readAgain));
  for (const record of found) if (record !== undefined) stageAccountRemoval(unit, record);
  const dueIn = listed.length < AT_ONCE ? SECOND_SWEEP_MS : 0;
  unit.stage(integrationErasures.create({ environmentId, id, ...dueOn(id, clock.now() + dueIn) }).write);
}

/** Removes the connected accounts that deleted integrations left behind. */
export async function eraseDeletedIntegrations(): Promise<void> {
  for (const { environmentId, id } of await dueIntegrationErasures(BATCH)) {
    let listed: AccountRecord[];
    do {
      listed = await pageOfAccounts(environmentId, id);
      for (const record of listed) await removeOne(record);
    } while (listed.length === AT_ONCE);
    await applyWork(environmentId, systemActor, async (unit) => {
      const planned = await integrationErasures.get(environmentId, id);
      if (planned !== undefined) unit.stage(integrationErasures.remove(planned));
    });
  }
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

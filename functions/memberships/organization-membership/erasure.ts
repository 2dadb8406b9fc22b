import { systemActor } from '../../kernel/authentication/caller.ts';
import { applyWork } from '../../kernel/storage/background.ts';
import { eraseOwned } from '../../kernel/storage/erasure.ts';
import { ownerKey } from '../../kernel/storage/record.ts';
import { stageMembershipRemoval } from './stage.ts';
import { membershipsOf } from './find.ts';

/** Memberships removed in one transaction: three writes each. */
const AT_ONCE = 25;

/** Removes the data of a deleted user: their memberships, each with its event, and every row that they own. */
export const eraseUser = (environmentId: string, userId: string): Promise<void> =>
  eraseOwned(environmentId, ownerKey('user', userId), () => endMemberships(environmentId, userId));

async function endMemberships(environmentId: string, userId: string): Promise<void> {
  for (;;) {
    let removed = 0;
    await applyWork(environmentId, systemActor, async (unit) => {
      const records = (await membershipsOf(environmentId, userId)).slice(0, AT_ONCE);
      for (const record of records) stageMembershipRemoval(unit, record);
      removed = records.length;
    });
    if (removed === 0) return;
  }
}

import { systemActor } from '../../../../kernel/authentication/caller.ts';
import { applyWork } from '../../../../kernel/storage/background.ts';
import { eraseOwned } from '../../../../kernel/storage/erasure.ts';
import { ownerKey } from '../../../../kernel/storage/record.ts';
import type { OrganizationMembershipRecord } from './entity.ts';
import { listEnds, removalOfEnd } from './ended.ts';
import { stageMembershipRemoval } from './stage.ts';
import { findUserMemberships } from './find.ts';

/** Maximum number of writes in one transaction. */
const MAX_WRITES = 75;

/** Removes the data of a deleted user: their memberships, each with its event, and every row that they own. */
export const eraseUser = (environmentId: string, userId: string): Promise<void> =>
  eraseOwned(environmentId, ownerKey('user', userId), () => endMemberships(environmentId, userId));

async function endMemberships(environmentId: string, userId: string): Promise<void> {
  for (;;) {
    let removed = 0;
    await applyWork(environmentId, systemActor, async (unit) => {
      const records = takeFirst(await findUserMemberships(environmentId, userId));
      for (const record of records) stageMembershipRemoval(unit, record);
      const ends = records.length > 0 ? [] : await listEnds(environmentId, userId);
      unit.stage(ends.map(removalOfEnd));
      removed = records.length + ends.length;
    });
    if (removed === 0) return;
  }
}

/**
 * Selects as many memberships as one transaction can remove: three writes for each, and one for each role that it was
 * given.
 */
function takeFirst(records: readonly OrganizationMembershipRecord[]): OrganizationMembershipRecord[] {
  let writes = 0;
  const end = records.findIndex(({ givenRoles }) => {
    writes += 3 + ((givenRoles ?? []) as unknown[]).length;
    return writes > MAX_WRITES;
  });
  return records.slice(0, end === -1 ? records.length : Math.max(1, end));
}

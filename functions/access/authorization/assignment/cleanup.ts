import { systemActor } from '../../../kernel/authentication/caller.ts';
import { applyWork } from '../../../kernel/storage/background.ts';
import { findMembershipById } from '../../../tenancy/modules/memberships/public.ts';
import { removalOfGrant } from './entity.ts';
import { readHoldings } from './partition.ts';

/** Maximum number of grants removed in one transaction, with two rows each. */
const AT_ONCE = 40;

/**
 * Removes the grants of a deleted membership on resources. Its id is never used again, so grants that remain have no
 * effect.
 */
export async function removeGrantsFor(environmentId: string, membershipId: string): Promise<void> {
  // The event may be delivered more than once or late, so the membership is read again.
  if ((await findMembershipById(environmentId, membershipId)) !== undefined) return;
  const { grants } = await readHoldings(environmentId, membershipId);
  for (let at = 0; at < grants.length; at += AT_ONCE) {
    const part = grants.slice(at, at + AT_ONCE);
    await applyWork(environmentId, systemActor, async (unit) => unit.stage(part.flatMap(removalOfGrant)));
  }
}

import { systemActor } from '../../../kernel/authentication/caller.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import { applyWork } from '../../../kernel/storage/background.ts';
import {
  findMembershipById,
  givenRoles,
  rolesOfMemberships,
  stageMembershipChange,
} from '../../../tenancy/modules/memberships/public.ts';
import { roleReplacement } from '../../../tenancy/roles/public.ts';
import {
  holdersInEnvironment,
  organizationResourceId,
  removeHolder,
} from '../../../tenancy/modules/role-holders/public.ts';

/** Number of holders of a role in one step, with a transaction for each. */
const AT_ONCE = 50;

type Holder = Awaited<ReturnType<ReturnType<typeof holdersInEnvironment>['take']>>[number];

/**
 * Replaces a deleted role in the memberships that had it at their organization, and removes their role holder rows. It may
 * run again.
 */
export const replaceRole = roleReplacement.by(async ({ environmentId, data, progress }) => {
  const window = { scan: 'asc', limit: AT_ONCE, ...(progress === undefined ? {} : { after: progress }) } as const;
  const { records, reached } = await holdersInEnvironment(environmentId, data.roleId).toPage(window);
  for (const holder of records) await replaceAt(holder, data.replacementId);
  return reached;
});

const replaceAt = (holder: Holder, replacementId: string | undefined): Promise<void> =>
  applyWork(holder.environmentId, systemActor, async (unit) => {
    const { environmentId, organizationId, holderId, resourceId } = holder;
    unit.stage(removeHolder(holder));
    if (holder.kind !== 'membership' || resourceId !== organizationResourceId(organizationId)) return;
    const [membership, known] = await awaitAll([
      findMembershipById(environmentId, holderId),
      rolesOfMemberships(environmentId, organizationId),
    ]);
    if (membership === undefined) return;
    const replacement = [...known.bySlug.values()].filter(({ id }) => id === replacementId);
    const left = givenRoles(membership, known.bySlug);
    // A membership that can have one role gets the replacement only if it has no other.
    const own = known.mayBeSeveral || left.length === 0 ? [...left, ...replacement] : left;
    stageMembershipChange(unit, membership, { roles: { known, own } });
  });

import { systemActor } from '../../../kernel/authentication/caller.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import { applyWork } from '../../../kernel/storage/background.ts';
import {
  findMemberships,
  findMembershipsById,
  rolesOfMemberships,
  stageMembershipChange,
} from '../../../tenancy/modules/memberships/public.ts';
import { listOrganizations } from '../../../tenancy/organizations/public.ts';
import { holderCompletion } from '../../../tenancy/roles/public.ts';

/** Number of memberships read in one step. */
const AT_ONCE = 100;
/**
 * Number of memberships changed in one transaction: two rows and a row for each role, of which older memberships have few.
 */
const IN_A_TRANSACTION = 10;

const STATUSES = ['active', 'inactive', 'pending'] as const;

/**
 * Writes the role holder rows of older memberships, organization by organization, by a Query and, for memberships without
 * these rows, a transaction for each ten. A membership's own row shows that they are missing, so a step may run again.
 * Nothing in responses changes, so there is no event.
 */
export const completeHolders = holderCompletion.by(async ({ environmentId, progress }) => {
  const [current, after] = progress?.split(' ') ?? [];
  const organizationId = current ?? (await findNext(environmentId));
  if (organizationId === undefined) return undefined;
  const window = { scan: 'asc', limit: AT_ONCE, ...(after === undefined ? {} : { after }) } as const;
  const { records: found, reached } = await findMemberships(
    environmentId,
    { organizationId, statuses: STATUSES },
    window,
  );
  const older = found.filter(({ givenRoles }) => givenRoles === undefined).map(({ id }) => id);
  for (let at = 0; at < older.length; at += IN_A_TRANSACTION) {
    await complete(environmentId, organizationId, older.slice(at, at + IN_A_TRANSACTION));
  }
  return reached === undefined ? findNext(environmentId, organizationId) : `${organizationId} ${reached}`;
});

/** The organization that was created after another one; the first one without it. */
async function findNext(environmentId: string, after?: string): Promise<string | undefined> {
  const window = { scan: 'asc', limit: 1, ...(after === undefined ? {} : { after }) } as const;
  return (await listOrganizations(environmentId, window)).records[0]?.id;
}

const complete = (environmentId: string, organizationId: string, ids: readonly string[]): Promise<void> =>
  applyWork(environmentId, systemActor, async (unit) => {
    const [memberships, known] = await awaitAll([
      findMembershipsById(environmentId, ids),
      rolesOfMemberships(environmentId, organizationId),
    ]);
    for (const membership of memberships) stageMembershipChange(unit, membership, { roles: { known } });
  });

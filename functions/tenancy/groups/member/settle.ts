import { systemActor } from '../../../kernel/authentication/caller.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import { applyWork } from '../../../kernel/storage/background.ts';
import { StorageUnavailable } from '../../../kernel/storage/faults.ts';
import {
  findMembershipsById,
  type MembershipRoles,
  type OrganizationMembershipRecord,
  rolesOfMemberships,
  stageMembershipChange,
} from '../../modules/memberships/public.ts';
import { readSheets, rolesAtOrganization } from '../../modules/role-holders/public.ts';
import { membershipGroups } from './entity.ts';

/** Maximum number of writes of one transaction. */
const WRITES = 80;
/** Maximum number of attempts to read memberships whose groups change concurrently. */
const TRIES = 10;

/** A membership whose roles differ from those that its groups give. */
interface Unsettled {
  membership: OrganizationMembershipRecord;
  byGroups: string[];
}

/** Reports whether a membership has exactly these roles through its groups. */
const hasByGroups = ({ groupRoleIds = [] }: OrganizationMembershipRecord, byGroups: readonly string[]): boolean =>
  groupRoleIds.length === byGroups.length && byGroups.every((id) => groupRoleIds.includes(id));

/**
 * The memberships whose roles differ from those that their groups' sheets give, by two BatchGetItems in parallel and one
 * for the sheets, all strongly consistent.
 */
async function findUnsettled(environmentId: string, ids: readonly string[]): Promise<Unsettled[]> {
  const [memberships, rows] = await awaitAll([
    findMembershipsById(environmentId, ids),
    membershipGroups.getMany(environmentId, ids),
  ]);
  const groupsOf = new Map(rows.map(({ id, groupIds }) => [id, groupIds]));
  const sheets = await readSheets(environmentId, [...new Set(rows.flatMap(({ groupIds }) => groupIds))]);
  return memberships.flatMap((membership) => {
    const grants = (groupsOf.get(membership.id) ?? []).flatMap((groupId) => sheets.get(groupId) ?? []);
    const byGroups = rolesAtOrganization(grants);
    return hasByGroups(membership, byGroups) ? [] : [{ membership, byGroups }];
  });
}

/**
 * Sets the roles of memberships of one organization to those that their groups give, with `organization_membership.updated`
 * for each change. It ends with a read that finds no difference, so that of two concurrent changes of groups the later run
 * has seen both. It may run again.
 * @param ids at most 100
 * @throws StorageUnavailable while their groups keep changing
 */
export async function settleMembers(
  environmentId: string,
  organizationId: string,
  ids: readonly string[],
): Promise<void> {
  for (let attempt = 1; attempt <= TRIES; attempt += 1) {
    const [unsettled, known] = await awaitAll([
      findUnsettled(environmentId, ids),
      rolesOfMemberships(environmentId, organizationId),
    ]);
    if (unsettled.length === 0) return;
    const slices = sliced(unsettled);
    await awaitAll(slices.map((slice) => changeRoles(environmentId, organizationId, slice, known)));
  }
  throw new StorageUnavailable('The groups of some members kept changing');
}

/**
 * Splits memberships into as many transactions as they need, with two rows and an event each, and for older rows also the
 * rows of role holders.
 */
function sliced(unsettled: readonly Unsettled[]): Unsettled[][] {
  const slices: Unsettled[][] = [];
  let room = 0;
  for (const each of unsettled) {
    const { membership } = each;
    const writes = 3 + (membership.givenRoles === undefined ? membership.roles.length : 0);
    if (writes > room) {
      slices.push([]);
      room = WRITES;
    }
    slices.at(-1)?.push(each);
    room -= writes;
  }
  return slices;
}

/** Changes memberships based on what was read, and after a conflict only those that still differ. */
async function changeRoles(
  environmentId: string,
  organizationId: string,
  slice: Unsettled[],
  roles: MembershipRoles,
): Promise<void> {
  let isFirst = true;
  await applyWork(environmentId, systemActor, async (unit) => {
    const ids = slice.map(({ membership }) => membership.id);
    const [known, members] = isFirst
      ? [roles, slice]
      : await awaitAll([rolesOfMemberships(environmentId, organizationId), findUnsettled(environmentId, ids)]);
    isFirst = false;
    for (const { membership, byGroups } of members) {
      stageMembershipChange(unit, membership, { roles: { known, byGroups } });
    }
  });
}

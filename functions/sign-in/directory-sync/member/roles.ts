import { isDeepStrictEqual } from 'node:util';

import { systemActor } from '../../../kernel/authentication/caller.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import type { BusDetail } from '../../../kernel/events/detail.ts';
import { applyWork } from '../../../kernel/storage/background.ts';
import { rolesOfGroups } from '../../../tenancy/modules/group-roles/public.ts';
import {
  findMembershipById,
  rolesOfMemberships,
  sortRoles,
  stageMembershipChange,
} from '../../../tenancy/modules/memberships/public.ts';
import { findDirectory } from '../directory/entity.ts';
import { directoryGroups } from '../group/entity.ts';
import { directoryUsers, findDirectoryUser } from '../user/entity.ts';
import { directoryUserPayload } from '../user/schema.ts';

/**
 * Gives a user's membership the roles of its groups in the directory, with the events of both. It writes only if these
 * roles have changed since they were last written, so that a role that an administrator sets by hand is kept until then.
 * Without a group that has a role the membership gets the default role. It may run again.
 * @param id the user's SCIM id
 */
export async function settleRoles(environmentId: string, id: string): Promise<void> {
  await applyWork(environmentId, systemActor, async (unit) => {
    const user = await directoryUsers.get(environmentId, id);
    if (user?.state !== 'active' || user.membershipId === undefined) return;
    const [directory, groups, membership] = await awaitAll([
      findDirectory(environmentId, user.directoryId),
      directoryGroups.getMany(environmentId, user.groupIds),
      findMembershipById(environmentId, user.membershipId),
    ]);
    if (directory === undefined || membership === undefined) return;
    // A directory without roles for groups leaves the roles to administrators, unless it has assigned some before.
    if (directory.groupRoles.length === 0 && user.mappedRoles === undefined) return;
    const known = await rolesOfMemberships(environmentId, user.organizationId);
    const names = groups.flatMap(({ id: groupId, name, externalId }) => [
      groupId,
      name,
      ...(externalId ? [externalId] : []),
    ]);
    const slugs = rolesOfGroups(environmentId, directory.groupRoles, names, { multiple: known.mayBeSeveral });
    const roles = sortRoles(known, slugs);
    const mapped = roles.map(({ slug }) => slug);
    if (isDeepStrictEqual(mapped, user.mappedRoles)) return;
    const own = roles.length > 0 ? roles : [known.defaultRole];
    stageMembershipChange(unit, membership, { roles: { known, own } });
    const { organizationId } = user;
    const revision = directoryUsers.revise(user, { mappedRoles: mapped });
    if (user.userId === undefined) unit.stage(revision.write);
    else unit.announce(revision, 'dsync.user.updated', directoryUserPayload, { former: user, organizationId });
  });
}

/** Updates the roles of the user that an event of a directory names. */
export async function settleRolesAfter({ environment_id: environmentId, data }: BusDetail): Promise<void> {
  const { id, user } = data as { id?: string; user?: { id: string } };
  const record = await findDirectoryUser(environmentId, user?.id ?? id ?? '');
  if (record !== undefined) await settleRoles(environmentId, record.id);
}

import { isDeepStrictEqual } from 'node:util';

import { newId } from '../../kernel/ids.ts';
import { changedMembers } from '../../kernel/events/previous.ts';
import { Failure, general } from '../../kernel/errors.ts';
import type { Unit } from '../../kernel/storage/unit.ts';
import { organizationResourceId, recordHolder, removeHolder, type Role, type RoleHolder } from '../../roles/public.ts';
import { presenceOf } from '../../users/public.ts';
import {
  createMembership,
  type NewMembership,
  type OrganizationMembershipRecord,
  removalOfMembership,
  reviseMembership,
} from './entity.ts';
import { effectiveRoles, givenRoles, type GroupRole, type MembershipRoles, type RoleReference } from './roles.ts';
import { membershipPayload } from './schema.ts';

/** Roles that a membership can be given itself: each is a row more in the transaction that removes it. */
export const MAX_GIVEN_ROLES = 20;

/** The data of a new membership; by default `active`. */
export type StagedMembership = Pick<NewMembership, 'environmentId' | 'userId' | 'organizationId'> &
  Partial<Omit<NewMembership, 'environmentId' | 'userId' | 'organizationId' | 'roles' | 'givenRoles'>> & {
    /** The highest priority first, see `sortRoles`; at least one. */
    roles: readonly RoleReference[];
  };

/** That a membership has a role at its organization, as the holders of the role record it. */
const holding = (
  { environmentId, organizationId, id }: Pick<OrganizationMembershipRecord, 'environmentId' | 'organizationId' | 'id'>,
  roleId: string,
): RoleHolder => ({
  environmentId,
  organizationId,
  roleId,
  resourceId: organizationResourceId(organizationId),
  kind: 'membership',
  holderId: id,
});

const references = (roles: readonly RoleReference[]): RoleReference[] => roles.map(({ id, slug }) => ({ id, slug }));

/**
 * Stages a new membership with `organization_membership.created`. It commits only if the user exists.
 * @param otherwise Rejects the call if the user is a member already, with any status; without it the call is applied
 *   again to the current state of the table.
 * @returns the new membership
 */
export function stageMembership(
  unit: Unit<'organization_membership.created'>,
  membership: StagedMembership,
  { otherwise }: { otherwise?: Failure | undefined } = {},
): OrganizationMembershipRecord {
  const { id = newId('om'), status = 'active', roles, ...members } = membership;
  const slugs = roles.map(({ slug }) => slug);
  const { record, writes } = createMembership({ id, status, roles: slugs, givenRoles: references(roles), ...members });
  const [byId, byPair] = writes;
  unit.stage([presenceOf(record.environmentId, record.userId), byId]);
  unit.stage(byPair, otherwise);
  unit.stage(roles.map((role) => recordHolder(holding(record, role.id))));
  unit.emit('organization_membership.created', membershipPayload(record), { organizationId: record.organizationId });
  return record;
}

/** Changes of a membership. */
export interface MembershipChanges {
  status?: OrganizationMembershipRecord['status'];
  /** Its roles; a list that is absent stays as it is. */
  roles?: {
    /** The roles of its organization. */
    known: MembershipRoles;
    /** Those that it is given itself. Without any, and without any of a group, it is given the default role. */
    given?: readonly Role[];
    byGroups?: readonly GroupRole[];
  };
}

/**
 * Stages a membership's new state with `organization_membership.updated`; neither if there is no change.
 * @throws Failure for more than 20 roles that it is given itself
 */
export function stageMembershipChange(
  unit: Unit<'organization_membership.updated'>,
  former: OrganizationMembershipRecord,
  { status = former.status, roles }: MembershipChanges,
): OrganizationMembershipRecord {
  const lists = roles === undefined ? {} : changedRoles(unit, former, roles);
  const { record, writes } = reviseMembership(former, { status, ...lists });
  const previousAttributes = changedMembers(membershipPayload(former), membershipPayload(record));
  if (Object.keys(previousAttributes).length === 0) {
    if (isDeepStrictEqual(sourcesOfRoles(former), sourcesOfRoles(record))) return former;
    // The roles that count are the same, from other sources.
    unit.stage(writes);
    return record;
  }
  unit.stage(writes);
  unit.emit('organization_membership.updated', membershipPayload(record), {
    organizationId: record.organizationId,
    previousAttributes,
  });
  return record;
}

const sourcesOfRoles = (record: OrganizationMembershipRecord): unknown => [
  record.givenRoles as unknown,
  record.groupRoles as unknown,
];

/** The three lists of roles with a change of one; the holders of the roles that come and go are staged. */
function changedRoles(
  unit: Pick<Unit, 'stage'>,
  former: OrganizationMembershipRecord,
  { known, given, byGroups }: NonNullable<MembershipChanges['roles']>,
) {
  const had = givenRoles(former, known);
  const groupRoles = byGroups ?? ((former.groupRoles ?? []) as GroupRole[]);
  const wanted = given ?? had;
  const own = wanted.length === 0 && groupRoles.length === 0 ? [known.defaultRole] : wanted;
  if (own.length > Math.max(MAX_GIVEN_ROLES, had.length)) {
    const message = `would be one too many: a membership is given at most ${MAX_GIVEN_ROLES} roles of its organization`;
    throw new Failure(general.invalidParameters, { issues: [{ field: 'role_slug', code: 'too_big', message }] });
  }
  // An older row has no holders recorded.
  const gained = former.givenRoles === undefined ? own : own.filter(({ id }) => !had.some((role) => role.id === id));
  const lost = had.filter(({ id }) => !own.some((role) => role.id === id));
  unit.stage([
    ...gained.map(({ id }) => recordHolder(holding(former, id))),
    ...lost.map(({ id }) => removeHolder(holding(former, id))),
  ]);
  const lists = {
    givenRoles: references(own),
    ...(groupRoles.length === 0 ? { groupRoles: undefined } : { groupRoles }),
  };
  return { ...lists, roles: effectiveRoles({ roles: [], ...lists }, known).map(({ slug }) => slug) };
}

/** Stages that a pending or an inactive membership is active. */
export const activateMembership = (
  unit: Unit<'organization_membership.updated'>,
  record: OrganizationMembershipRecord,
): OrganizationMembershipRecord => stageMembershipChange(unit, record, { status: 'active' });

/** Stages the removal of a membership with `organization_membership.deleted`. */
export function stageMembershipRemoval(
  unit: Unit<'organization_membership.deleted'>,
  record: OrganizationMembershipRecord,
): void {
  unit.stage(removalOfMembership(record));
  const given = (record.givenRoles ?? []) as RoleReference[];
  unit.stage(given.map(({ id }) => removeHolder(holding(record, id))));
  unit.emit('organization_membership.deleted', membershipPayload(record), { organizationId: record.organizationId });
}

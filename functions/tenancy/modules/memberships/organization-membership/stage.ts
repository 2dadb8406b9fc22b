import { isDeepStrictEqual } from 'node:util';

import { newId } from '../../../../kernel/ids.ts';
import { changedMembers } from '../../../../kernel/events/previous.ts';
import { Failure, general } from '../../../../kernel/errors.ts';
import type { Unit } from '../../../../kernel/storage/unit.ts';
import { organizationResourceId, recordHolder, removeHolder, type RoleHolder } from '../../role-holders/public.ts';
import { userExistsCheck } from '../../users/public.ts';
import {
  createMembership,
  type NewMembership,
  type OrganizationMembershipRecord,
  removalOfMembership,
  reviseMembership,
} from './entity.ts';
import { recordEnd } from './ended.ts';
import { givenRoles, mergeRoles, type RoleChange, type RoleReference } from './roles.ts';
import { membershipPayload } from './schema.ts';

/**
 * Maximum number of roles that a membership can be given itself, since each needs a row in the transaction that removes it.
 */
const MAX_GIVEN_ROLES = 20;

/** The data of a new membership, which is `active` by default. */
export type StagedMembership = Pick<NewMembership, 'environmentId' | 'userId' | 'organizationId'> &
  Partial<Omit<NewMembership, 'environmentId' | 'userId' | 'organizationId' | 'roles' | 'givenRoles'>> & {
    /** The roles, the highest priority first, see `sortRoles`; at least one. */
    roles: readonly RoleReference[];
  };

/** The row that records a membership as a holder of a role at its organization. */
const toRoleHolder = (
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
 * @param otherwise rejects the call if the user is a member already, with any status; without it the call is applied again
 * to the current state of the table
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
  unit.stage(userExistsCheck(record.environmentId, record.userId));
  const { organizationId } = record;
  unit.announce({ record, write: byId }, 'organization_membership.created', membershipPayload, { organizationId });
  unit.stage(byPair, otherwise);
  unit.stage(roles.map((role) => recordHolder(toRoleHolder(record, role.id))));
  return record;
}

/** The members of a membership that {@link stageMembershipChange} changes. */
export interface MembershipChanges {
  status?: OrganizationMembershipRecord['status'];
  /** The caller that makes the membership inactive; an administrator by default. */
  inactiveBy?: 'directory' | 'administrator';
  directoryManaged?: boolean;
  customAttributes?: Record<string, unknown> | undefined;
  roles?: RoleChange | undefined;
}

/**
 * Stages a membership's new state, with `organization_membership.updated` if responses show a difference. It stages nothing
 * if nothing changes.
 * @param changes roles by their sources: the roles that a membership has itself, and those that its groups give it
 * @throws Failure for more than 20 roles of its own
 */
export function stageMembershipChange(
  unit: Unit<'organization_membership.updated'>,
  former: OrganizationMembershipRecord,
  {
    status = former.status,
    inactiveBy = status === former.status ? former.inactiveBy : 'administrator',
    directoryManaged = former.directoryManaged,
    customAttributes = former.customAttributes as Record<string, unknown> | undefined,
    roles,
  }: MembershipChanges,
): OrganizationMembershipRecord {
  const sources = roles === undefined ? {} : mergeRoles(former, roles);
  const own = {
    status,
    inactiveBy: status === 'inactive' ? inactiveBy : undefined,
    directoryManaged,
    customAttributes,
  };
  const next = { ...former, ...own, ...sources } as OrganizationMembershipRecord;
  const previousAttributes = changedMembers(membershipPayload(former), membershipPayload(next));
  const isSeen = Object.keys(previousAttributes).length > 0;
  if (!isSeen && isDeepStrictEqual(unseenMembers(former), unseenMembers(next))) return former;
  if (roles !== undefined) stageHolders(unit, former, next, roles);
  const { record, writes } = reviseMembership(former, { ...own, ...sources }, isSeen ? undefined : former.updatedAt);
  unit.stage(writes);
  if (isSeen) {
    unit.emit('organization_membership.updated', membershipPayload(record), {
      organizationId: record.organizationId,
      previousAttributes,
    });
  }
  return record;
}

/** The members that responses do not show. */
const unseenMembers = (record: OrganizationMembershipRecord): unknown => [
  record.givenRoles as unknown,
  record.groupRoleIds,
  record.inactiveBy,
];

/** Stages the holders of the roles that a membership gains and loses itself. @throws Failure for too many of them */
function stageHolders(
  unit: Pick<Unit, 'stage'>,
  former: OrganizationMembershipRecord,
  next: OrganizationMembershipRecord,
  { known: { bySlug } }: RoleChange,
): void {
  const [had, has] = [givenRoles(former, bySlug), givenRoles(next, bySlug)];
  if (has.length > Math.max(MAX_GIVEN_ROLES, had.length)) {
    const message = `would be one too many: a membership is given at most ${MAX_GIVEN_ROLES} roles of its organization`;
    throw new Failure(general.invalidParameters, { issues: [{ field: 'role_slug', code: 'too_big', message }] });
  }
  const formerIds = new Set(had.map(({ id }) => id));
  // For an older row no role holders are recorded.
  const gained = former.givenRoles === undefined ? has : has.filter(({ id }) => !formerIds.has(id));
  for (const { id } of has) formerIds.delete(id);
  unit.stage(gained.map(({ id }) => recordHolder(toRoleHolder(former, id))));
  unit.stage([...formerIds].map((id) => removeHolder(toRoleHolder(former, id))));
}

/**
 * Stages that a membership is removed, with `organization_membership.deleted`. After the person or an administrator has removed it, no
 * directory or connection makes it again: see {@link wasMembershipEnded}.
 */
export function stageMembershipEnd(
  unit: Unit<'organization_membership.deleted'>,
  record: OrganizationMembershipRecord,
  by: 'person' | 'directory' = 'person',
): void {
  stageMembershipRemoval(unit, record);
  if (by === 'person') unit.stage(recordEnd(record));
}

/** Stages the removal of a membership with `organization_membership.deleted`. */
export function stageMembershipRemoval(
  unit: Unit<'organization_membership.deleted'>,
  record: OrganizationMembershipRecord,
): void {
  unit.stage(removalOfMembership(record));
  const given = (record.givenRoles ?? []) as RoleReference[];
  unit.stage(given.map(({ id }) => removeHolder(toRoleHolder(record, id))));
  unit.emit('organization_membership.deleted', membershipPayload(record), { organizationId: record.organizationId });
}

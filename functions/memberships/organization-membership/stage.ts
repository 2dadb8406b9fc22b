import { newId } from '../../kernel/ids.ts';
import { changedMembers } from '../../kernel/events/previous.ts';
import type { Failure } from '../../kernel/errors.ts';
import type { Unit } from '../../kernel/storage/unit.ts';
import { presenceOf } from '../../users/public.ts';
import {
  createMembership,
  type NewMembership,
  type OrganizationMembershipRecord,
  removalOfMembership,
  reviseMembership,
} from './entity.ts';
import { mergeRoles, type RoleChange } from './roles.ts';
import { membershipPayload } from './schema.ts';

/** The data of a new membership; by default `active`. */
export type StagedMembership = Pick<NewMembership, 'environmentId' | 'userId' | 'organizationId' | 'roles'> &
  Partial<Omit<NewMembership, 'environmentId' | 'userId' | 'organizationId' | 'roles'>>;

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
  const { id = newId('om'), status = 'active', ...members } = membership;
  const { record, writes } = createMembership({ id, status, ...members });
  const [byId, byPair] = writes;
  unit.stage(presenceOf(record.environmentId, record.userId));
  const { organizationId } = record;
  unit.announce({ record, write: byId }, 'organization_membership.created', membershipPayload, { organizationId });
  unit.stage(byPair, otherwise);
  return record;
}

/**
 * Stages a membership's new state, with `organization_membership.updated` if callers see a difference; nothing if there is no
 * change. @param changes Roles by their sources: what a membership has itself, and what its groups give it
 */
export function stageMembershipChange(
  unit: Unit<'organization_membership.updated'>,
  former: OrganizationMembershipRecord,
  {
    status = former.status,
    roles,
  }: { status?: OrganizationMembershipRecord['status']; roles?: RoleChange | undefined },
): OrganizationMembershipRecord {
  const { ownRoles, groupRoleIds } = former;
  const sources = roles === undefined ? { roles: former.roles, ownRoles, groupRoleIds } : mergeRoles(former, roles);
  const next = { ...former, status, ...sources } as OrganizationMembershipRecord;
  const previousAttributes = changedMembers(membershipPayload(former), membershipPayload(next));
  const isSeen = Object.keys(previousAttributes).length > 0;
  if (!isSeen && JSON.stringify([ownRoles, groupRoleIds]) === JSON.stringify([next.ownRoles, next.groupRoleIds])) {
    return former;
  }
  const { record, writes } = reviseMembership(former, { status, ...sources }, isSeen ? undefined : former.updatedAt);
  unit.stage(writes);
  if (isSeen) {
    unit.emit('organization_membership.updated', membershipPayload(record), {
      organizationId: record.organizationId,
      previousAttributes,
    });
  }
  return record;
}

/** Stages the activation of a pending or inactive membership. */
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
  unit.emit('organization_membership.deleted', membershipPayload(record), { organizationId: record.organizationId });
}

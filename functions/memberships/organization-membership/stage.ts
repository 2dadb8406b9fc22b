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
import { membershipPayload } from './schema.ts';

/** What a membership is made of; `active` where nothing is said. */
export type StagedMembership = Pick<NewMembership, 'environmentId' | 'userId' | 'organizationId' | 'roles'> &
  Partial<Omit<NewMembership, 'environmentId' | 'userId' | 'organizationId' | 'roles'>>;

/**
 * Stages a new membership with `organization_membership.created`. It commits only while the user is there.
 * @param otherwise Refuses the call when the user is a member already, of whatever status; without it the call is applied
 * again to what the table holds by then.
 * @returns the membership as it will be
 */
export function stageMembership(
  unit: Unit<'organization_membership.created'>,
  membership: StagedMembership,
  { otherwise }: { otherwise?: Failure | undefined } = {},
): OrganizationMembershipRecord {
  const { id = newId('om'), status = 'active', ...members } = membership;
  const { record, writes } = createMembership({ id, status, ...members });
  const [byId, byPair] = writes;
  unit.stage([presenceOf(record.environmentId, record.userId), byId]);
  unit.stage(byPair, otherwise);
  unit.emit('organization_membership.created', membershipPayload(record), { organizationId: record.organizationId });
  return record;
}

/** Stages a membership's new state with `organization_membership.updated`; neither where nothing changes. */
export function stageMembershipChange(
  unit: Unit<'organization_membership.updated'>,
  former: OrganizationMembershipRecord,
  changes: Partial<Pick<OrganizationMembershipRecord, 'status' | 'roles'>>,
): OrganizationMembershipRecord {
  const { record, writes } = reviseMembership(former, changes);
  const previousAttributes = changedMembers(membershipPayload(former), membershipPayload(record));
  if (Object.keys(previousAttributes).length === 0) return former;
  unit.stage(writes);
  unit.emit('organization_membership.updated', membershipPayload(record), {
    organizationId: record.organizationId,
    previousAttributes,
  });
  return record;
}

/** Stages that a pending or an inactive membership is active. */
export const activateMembership = (
  unit: Unit<'organization_membership.updated'>,
  record: OrganizationMembershipRecord,
): OrganizationMembershipRecord => stageMembershipChange(unit, record, { status: 'active' });

/** Stages the end of a membership with `organization_membership.deleted`. */
export function stageMembershipRemoval(
  unit: Unit<'organization_membership.deleted'>,
  record: OrganizationMembershipRecord,
): void {
  unit.stage(removalOfMembership(record));
  unit.emit('organization_membership.deleted', membershipPayload(record), { organizationId: record.organizationId });
}

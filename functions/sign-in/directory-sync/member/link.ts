import type { EventName } from '../../../kernel/events/catalogue/names.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';

/** The events that the provisioning of directory users emits. */
export const PROVISIONING_EVENTS = [
  'user.created',
  'user.updated',
  'organization_membership.created',
  'organization_membership.updated',
  'organization_membership.deleted',
  'invitation.created',
  'invitation.revoked',
  'session.revoked',
] as const satisfies readonly EventName[];

export type ProvisioningEvents = (typeof PROVISIONING_EVENTS)[number];

/** A unit of work that provisions a directory user. */
export type ProvisioningUnit = Unit<ProvisioningEvents>;

/** The user and the membership of a directory user, which are kept while the directory user is inactive. */
export interface Link {
  memberUserId: string | undefined;
  membershipId: string | undefined;
  mappedRoles: string[] | undefined;
}

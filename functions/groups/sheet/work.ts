import { workKind } from '../../kernel/storage/work.ts';
import type { RolePlace } from './entity.ts';

/** The part of a change of a group that a worker does. */
export interface GroupChange {
  groupId: string;
  organizationId: string;
  /** Roles that the group has no longer and whose rows of holders are still there. */
  left: RolePlace[];
  /** True if roles at the organization changed, which the `roles` of members show. */
  isAtOrganization: boolean;
}

/** The carrying of a change of a group's roles to its members. */
export const groupChange = workKind<GroupChange>('groups.change');

/** The removal of what a deleted group leaves behind. */
export const groupEnd = workKind<GroupChange>('groups.end');

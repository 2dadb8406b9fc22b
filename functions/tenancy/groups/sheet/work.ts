import { workKind } from '../../../kernel/storage/work.ts';
import type { RolePlace } from '../../modules/role-holders/public.ts';

/** The data of the work that follows a change of a group's roles. */
export interface GroupChange {
  groupId: string;
  organizationId: string;
  /** Former roles of the group that still have rows of role holders. */
  left: RolePlace[];
  /** True if roles at the organization changed, which are part of the `roles` of members. */
  isAtOrganization: boolean;
}

/** The kind of work that applies a change of a group's roles to its members. */
export const groupChange = workKind<GroupChange>('groups.change', { runs: 1 });

/** The kind of work that removes the remaining rows of a deleted group. */
export const groupEnd = workKind<GroupChange>('groups.end', { runs: 1 });

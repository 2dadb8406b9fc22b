import { workKind } from '../../kernel/storage/work.ts';
import type { RolePlace } from '../../role-holders/public.ts';

/** The worker's part of a change of a group. */
export interface GroupChange {
  groupId: string;
  organizationId: string;
  /** Former roles of the group whose rows of holders still exist. */
  left: RolePlace[];
  /** True if roles at the organization changed, which the `roles` of members show. */
  isAtOrganization: boolean;
}

/** The kind of work that applies a change of a group's roles to its members. */
export const groupChange = workKind<GroupChange>('groups.change', { runs: 1 });

/** The kind of work that removes the remaining rows of a deleted group. */
export const groupEnd = workKind<GroupChange>('groups.end', { runs: 1 });

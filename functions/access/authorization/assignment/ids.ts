import { readUlid } from '../../../kernel/id-format.ts';

/**
 * Ids of assignments. An assignment on a resource below the organization has an id of its own. Other assignments have no
 * row: a membership's role at its organization is part of the membership, and the roles of groups are read from the group.
 * Their ids consist of two ULIDs, which identify the assignment and sort by it.
 */
const PREFIX = 'role_assignment_';
const ULID_LENGTH = 26;

/** The id of a role that a membership has at its organization. */
export const organizationAssignmentId = (membershipId: string, roleId: string): string =>
  `${PREFIX}${readUlid(membershipId)}${readUlid(roleId)}`;

/** The id of the assignment that a member has through the role assignment of a group. */
export const groupAssignmentId = (groupRoleAssignmentId: string, membershipId: string): string =>
  `${PREFIX}${readUlid(groupRoleAssignmentId)}${readUlid(membershipId)}`;

/** The two ULIDs of an id without a row; the second one is empty for an assignment with a row. */
export function partsOfAssignmentId(id: string): [first: string, second: string] {
  const text = id.slice(PREFIX.length);
  return [text.slice(0, ULID_LENGTH), text.slice(ULID_LENGTH)];
}

const FORM = /^role_assignment_(?:[0-7][0-9A-HJKMNP-TV-Z]{25}){1,2}$/;

/** Reports whether a text has the form of an assignment's id. */
export const isAssignmentId = (text: string): boolean => FORM.test(text);

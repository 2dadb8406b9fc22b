import { declareError, notFound } from '../../../kernel/errors.ts';

export const groupAssignmentNotFound = notFound('role assignment of this group');

export const duplicateGroupRoleAssignment = declareError({
  status: 409,
  code: 'duplicate_group_role_assignment',
  message: 'The group has this role on this resource already.',
});

/** The error is the same for an unknown role and an unknown resource, and for those of another organization. */
export const placeNotFound = declareError({
  status: 404,
  code: 'not_found',
  message:
    'The group’s organization has no such role, or no such resource. GET /authorization/organizations/{id}/roles lists the roles ' +
    'that it can give.',
});

import { declareError, notFound } from '../../../kernel/errors.ts';

export const assignmentNotFound = notFound('role assignment');

/** The error is the same for an unknown membership, an unknown resource, and a resource of another organization. */
export const subjectNotFound = declareError({
  status: 404,
  code: 'not_found',
  message:
    'There is no such organization membership or resource, or the resource is of another organization. Check the ids and the API ' +
    'key’s environment.',
});

export const roleNotFound = declareError({
  status: 404,
  code: 'not_found',
  message:
    'The organization has no such role. GET /authorization/organizations/{id}/roles lists the roles that it can give.',
});

export const givenByGroup = declareError({
  status: 403,
  code: 'role_assignment_from_group',
  message:
    'A group of the member has this role. Remove the role from the group at ' +
    '/authorization/groups/{group_id}/role_assignments, or remove the member from the group.',
});

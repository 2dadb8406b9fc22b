import { declareError, notFound } from '../../../../kernel/errors.ts';

export const membershipNotFound = notFound('organization membership');

/** The contract rejects this member of a list with 400, and no other. */
export const invalidStatuses = declareError({
  status: 400,
  code: 'invalid_request_parameters',
  message: 'The statuses are invalid: use active, inactive and pending, separated by commas.',
});

export const malformedId = declareError({
  status: 422,
  code: 'invalid_request_parameters',
  message: 'The id in the path is malformed: ids of organization memberships begin with om_.',
});

export const missingUserOrOrganization = declareError({
  status: 400,
  code: 'missing_user_id_or_organization_id',
  message: 'Send a user_id or an organization_id.',
});

export const alreadyMember = declareError({
  status: 400,
  code: 'user_already_organization_member',
  message: 'The user is an active member of the organization already. Update the membership to change its roles.',
});

export const cannotReactivatePending = declareError({
  status: 400,
  code: 'cannot_reactivate_pending_organization_membership',
  message: 'The membership is pending: it becomes active when the user accepts the invitation.',
});

export const cannotDeactivatePending = declareError({
  status: 400,
  code: 'cannot_deactivate_pending_organization_membership',
  message: 'The membership is pending. Revoke the invitation, or delete the membership, instead of deactivating it.',
});

export const invalidRole = declareError({
  status: 422,
  code: 'invalid_role',
  message: 'The organization has no such role.',
});

export const multipleRolesNotEnabled = declareError({
  status: 422,
  code: 'multiple_roles_not_enabled',
  message:
    'This environment’s settings for memberships allow one role each. Send one role, or set multiple_roles in PUT /x/user-management/settings.',
});

export const subResourceRoleNotAllowed = declareError({
  status: 422,
  code: 'sub_resource_scoped_role_not_allowed',
  message: 'The role is for a resource below the organization. A membership has roles of the organization.',
});

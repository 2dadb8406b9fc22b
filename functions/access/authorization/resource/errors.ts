import { declareError, notFound } from '../../../kernel/errors.ts';

export const resourceNotFound = notFound('authorization resource');

export const parentNotFound = declareError({
  status: 404,
  code: 'not_found',
  message: 'The organization has no such parent resource. Check the parent’s id, or its external id and type.',
});

export const externalIdConflict = declareError({
  status: 409,
  code: 'authorization_resource_external_id_conflict',
  message:
    'The organization has a resource of this type with this external_id already. Use another one, or update that resource.',
});

export const hasDependents = declareError({
  status: 409,
  code: 'resource_has_dependents',
  message:
    'Resources are below this one, or roles are assigned on it. Remove them first, or send cascade_delete=true to delete all of it.',
});

export const typeUpdateInProgress = declareError({
  status: 409,
  code: 'resource_type_update_in_progress',
  message:
    'The resource type was removed from the model and its resources are being deleted. Try again when they are deleted.',
});

export const lockTimeout = declareError({
  status: 400,
  code: 'lock_timeout',
  message: 'Other requests keep changing the same resource. Nothing was changed; try again.',
});

export const organizationResourceIsFixed = declareError({
  status: 403,
  code: 'organization_resource_is_fixed',
  message:
    'This is the organization’s own resource: it follows the organization, which is updated and deleted at /organizations.',
});

export const missingOrganizationOrType = declareError({
  status: 400,
  code: 'missing_organization_id_or_resource_type_slug',
  message: 'Send an organization_id or a resource_type_slug.',
});

export const organizationResourceExists = declareError({
  status: 400,
  code: 'bad_request',
  message:
    'Each organization has one resource of the type “organization”, which is created with it. Use another resource_type_slug.',
});

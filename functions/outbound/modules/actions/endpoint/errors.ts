import { declareError, notFound } from '../../../../kernel/errors.ts';

export const actionEndpointNotFound = notFound('action endpoint', 'entity_not_found');

export const actionEndpointExists = declareError({
  status: 409,
  code: 'action_endpoint_exists',
  message: 'This environment has an action endpoint of this type. Change that one instead, or delete it first.',
});

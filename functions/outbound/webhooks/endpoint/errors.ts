import { declareError, notFound } from '../../../kernel/errors.ts';

export const endpointNotFound = notFound('webhook endpoint', 'entity_not_found');

export const duplicateEndpoint = declareError({
  status: 409,
  code: 'duplicate_endpoint',
  message: 'Another webhook endpoint of this environment has this URL. Change that one instead.',
});

export const tooManyEndpoints = declareError({
  status: 422,
  code: 'too_many_endpoints',
  message: 'This environment has 100 webhook endpoints, which is the limit. Delete one first.',
});

export const endpointDisabled = declareError({
  status: 409,
  code: 'endpoint_disabled',
  message: 'The webhook endpoint is disabled. Enable it first.',
});

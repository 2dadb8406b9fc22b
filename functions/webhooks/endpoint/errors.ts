import { declareError, notFound } from '../../kernel/errors.ts';

export const endpointNotFound = notFound('webhook endpoint', 'entity_not_found');

export const duplicateEndpoint = declareError({
  status: 409,
  code: 'duplicate_endpoint',
  message: 'Another webhook endpoint of this environment has this URL. Change that one instead.',
});

export const invalidUrl = declareError({
  status: 422,
  code: 'invalid_url',
  message:
    'Nothing can be delivered to this endpoint_url. It must be a public https URL without credentials or ' +
    'fragment.',
});

export const tooManyEndpoints = declareError({
  status: 422,
  code: 'too_many_endpoints',
  message: 'This environment has 100 webhook endpoints, which is the limit. Delete one first.',
});

export const rotationInProgress = declareError({
  status: 409,
  code: 'rotation_in_progress',
  message: 'The secret is being rotated. Promote the next secret, or wait for the end of the overlap.',
});

export const noRotation = declareError({
  status: 409,
  code: 'no_rotation',
  message: 'No rotation of the secret is in progress: there is no next secret to promote.',
});

import { declareError, notFound } from '../../kernel/errors.ts';

export const flagNotFound = notFound('feature flag');

export const flagSlugConflict = declareError({
  status: 409,
  code: 'flag_slug_conflict',
  message: 'A feature flag of this environment has this slug. Use another slug, or update that flag.',
});

export const ambiguousCursor = declareError({
  status: 400,
  code: 'invalid_request_parameters',
  message: 'Both before and after were sent. Send one of them.',
});

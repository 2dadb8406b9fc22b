import { declareError, notFound } from '../../../kernel/errors.ts';

export const flagNotFound = notFound('feature flag', 'not_found', 'slug');

/** The error for a cursor, which is the id of a flag. */
export const cursorNotFound = notFound('feature flag');

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

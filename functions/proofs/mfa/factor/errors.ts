import { declareError, notFound } from '../../../kernel/errors.ts';

export const factorNotFound = notFound('authentication factor');
export const userNotFound = notFound('user');

export const tooManyFactors = declareError({
  status: 422,
  code: 'authentication_factor_limit_reached',
  message: 'The user has ten authentication factors, which is the limit. Delete one first.',
});

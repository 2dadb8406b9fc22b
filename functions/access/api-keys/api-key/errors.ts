import { declareError, notFound } from '../../../kernel/errors.ts';

export const apiKeyNotFound = notFound('API key');
export const userNotFound = notFound('user');

export const notAMember = declareError({
  status: 422,
  code: 'user_not_in_organization',
  message: 'The user is not a member of this organization. Add the membership first.',
});

export const alreadyExpired = declareError({
  status: 409,
  code: 'api_key_already_expired',
  message: 'This API key has expired and cannot be made valid again. Create a new one.',
});

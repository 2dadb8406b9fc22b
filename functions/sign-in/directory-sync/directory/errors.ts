import { declareError, notFound } from '../../../kernel/errors.ts';

export const directoryNotFound = notFound('directory');

export const externalKeyTaken = declareError({
  status: 409,
  code: 'external_key_taken',
  message: 'Another directory or connection has this external_key. Delete it first, or leave the external_key out.',
});

export const tooManyTokens = declareError({
  status: 409,
  code: 'directory_token_limit_exceeded',
  message: 'A directory has at most five tokens. Revoke one that is no longer used.',
});

export const tokenTaken = declareError({
  status: 409,
  code: 'directory_token_taken',
  message: 'A directory has this token already. Omit the value to generate a new token.',
});

export const tokenNotFound = notFound('directory token');

/** The contract's response to reading a list too often, which is a plain text. */
export const rateLimited = declareError({
  status: 429,
  code: 'Ratelimited',
  message: 'Too many lists of directory users were requested. Try again after the time in Retry-After.',
  form: 'text',
});

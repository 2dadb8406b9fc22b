import { declareError } from '../../../../kernel/errors.ts';

export const invalidPasswordHash = declareError({
  status: 400,
  code: 'invalid_password_hash',
  message: 'The password_hash cannot be read as a hash of its password_hash_type, or asks for too much memory or time.',
});

export const passwordAndHashProvided = declareError({
  status: 400,
  code: 'password_and_password_hash_provided',
  message: 'Send either password or password_hash, not both.',
});

export const passwordAndHashTypeProvided = declareError({
  status: 400,
  code: 'password_and_password_hash_type_provided',
  message: 'Send password_hash_type only with password_hash, not with password.',
});

export const saltPositionRequiresHash = declareError({
  status: 400,
  code: 'password_salt_position_requires_password_hash',
  message: 'Send password_salt_position only with a password_hash of the type ssha256.',
});

export const passwordStrengthError = declareError({
  status: 400,
  code: 'password_strength_error',
  message: 'The password does not meet the requirements of this environment.',
});

/** Errors for a body that sets a password. */
export const passwordErrors = [
  invalidPasswordHash,
  passwordAndHashProvided,
  passwordAndHashTypeProvided,
  saltPositionRequiresHash,
  passwordStrengthError,
] as const;

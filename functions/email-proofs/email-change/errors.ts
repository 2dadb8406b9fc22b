import { declareError } from '../../kernel/errors.ts';

// The same codes have status 400 on PUT /user_management/users/{id}: the contract's choice.
export const emailChangeNotNeeded = declareError({
  status: 409,
  code: 'email_change_not_needed',
  message: 'The user has this email address already.',
});
export const newEmailNotAvailable = declareError({
  status: 409,
  code: 'email_not_available',
  message: 'Another user has this email address.',
});
export const changeNotAllowed = declareError({
  status: 409,
  code: 'email_change_not_allowed',
  message: 'The user settings of this environment do not allow changes of an email address.',
});
export const invalidNewEmail = declareError({
  status: 422,
  code: 'invalid_email',
  message: 'This is not a valid, deliverable email address.',
});
export const noPendingChange = declareError({
  status: 409,
  code: 'no_pending_email_change',
  message: 'This user has no pending email change. Send a code first.',
});
export const codePreviouslyUsed = declareError({
  status: 409,
  code: 'email_change_code_previously_used',
  message: 'This code was used already. Codes work once.',
});
export const codeExpired = declareError({
  status: 400,
  code: 'email_change_code_expired',
  message: 'This code has expired. Send a new one.',
});
export const codeIncorrect = declareError({
  status: 400,
  code: 'email_change_code_incorrect',
  message: 'This is not the code that was sent last.',
});
export const tooManyAttempts = declareError({
  status: 429,
  code: 'email_change_too_many_attempts',
  message: 'This code was invalidated after five incorrect attempts. Send a new one.',
});

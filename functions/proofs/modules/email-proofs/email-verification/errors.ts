import { declareError } from '../../../../kernel/errors.ts';

export const emailAlreadyVerified = declareError({
  status: 400,
  code: 'email_already_verified',
  message: 'This email address is verified already.',
});

import { declareError } from '../../../../kernel/errors.ts';
import { codeErrors, tooManyAttemptsError } from '../../../../kernel/one-time-code/errors.ts';

// The contract gives the same codes the status 400 on PUT /user_management/users/{id}.
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
  message:
    'The user settings of this environment do not allow changes of an email address. Set email_change in PUT /x/user-management/settings.',
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
/** The errors of a wrong code, by its outcome. */
export const wrongCode = {
  ...codeErrors('email_change', 409),
  too_many_attempts: tooManyAttemptsError('email_change'),
};

import { declareError, notFound } from '../../../kernel/errors.ts';

/**
 * The error for `signals_id`, which the contract declares. Creating a user never fails because of the value: with an unknown
 * or used one, Radar does not evaluate the signals of the device.
 */
export const signalsNotFound = {
  ...notFound('signals_id'),
  message: 'The contract has this error; this service never returns it: an unknown signals_id has no effect.',
};

export const userCreationError = declareError({
  status: 400,
  code: 'user_creation_error',
  message:
    'The user cannot be created: another user already has this email address or external_id. `errors` names the field. Find that user with ' +
    'GET /user_management/users?email= or GET /user_management/users/external_id/{external_id}, and update it, or send another value.',
});

export const emailNotAvailable = declareError({
  status: 400,
  code: 'email_not_available',
  message: 'Another user has this email address. Use another one, or change the address of that user first.',
});

export const externalIdAlreadyUsed = declareError({
  status: 400,
  code: 'external_id_already_used',
  message: 'Another user has this external_id. Use another one, or clear it in the other record first.',
});

export const emailChangeNotAllowed = declareError({
  status: 400,
  code: 'email_change_not_allowed',
  message:
    'The user settings of this environment do not allow changes of an email address. Set email_change in PUT /x/user-management/settings.',
});

export const invalidEmail = declareError({
  status: 400,
  code: 'invalid_email',
  message: 'This is not a valid, deliverable email address.',
});

export const invalidLocale = declareError({
  status: 400,
  code: 'invalid_locale',
  message: 'The locale is not a language tag (BCP 47) such as en or pt-BR.',
});

export const invalidMetadata = declareError({
  status: 400,
  code: 'invalid_metadata',
  message: 'The metadata is invalid: at most 50 members, names of 1 to 40 characters, text values to 600 characters.',
});

export const userDeletionNotAllowed = declareError({
  status: 409,
  code: 'user_deletion_not_allowed',
  message:
    'The user settings of this environment do not allow the deletion of users. Set user_deletion in PUT /x/user-management/settings.',
});

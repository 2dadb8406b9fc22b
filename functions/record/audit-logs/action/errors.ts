import { declareError, notFound } from '../../../kernel/errors.ts';

export const actionNotFound = {
  ...notFound('audit log action', 'audit_log_action_not_found'),
  message:
    'This environment has no schema for the action. Create it first with `POST /audit_logs/actions/{actionName}/schemas`, and compare the spelling: names are compared exactly.',
};

export const invalidActionName = declareError({
  status: 422,
  code: 'invalid_action_name',
  message: 'The name of an action has 1 to 255 characters without spaces, such as user.signed_in.',
});

export const schemaTooLarge = declareError({
  status: 422,
  code: 'schema_too_large',
  message: 'The schema is larger than 64 KiB as JSON.',
});

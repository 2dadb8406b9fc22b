import { declareError, notFound } from '../../../kernel/errors.ts';

export const integrationNotFound = notFound('data integration');

export const organizationIntegrationsUnavailable = declareError({
  status: 404,
  code: 'organization_integrations_unavailable',
  message:
    'The settings of this environment do not allow connected accounts of organizations. Enable `organization_integrations` with PUT /x/pipes/settings.',
});

export const providerNotFound = declareError({
  status: 404,
  code: 'provider_not_found',
  message: 'There is no built-in or custom provider of this name. Send custom_provider to define a new one.',
});

export const integrationExists = declareError({
  status: 409,
  code: 'data_integration_already_exists',
  message:
    'The provider has an integration of this ownership, or the custom provider is defined already. Update the integration, or send the slug without custom_provider.',
});

export const authMethodMismatch = declareError({
  status: 422,
  code: 'auth_method_mismatch',
  message:
    'The integration does not support this auth method, or the connected account was connected by another one. See auth_methods of the integration and auth_method of the account.',
});

export const accountSelectionRequired = declareError({
  status: 409,
  code: 'account_selection_required',
  message: 'Several connected accounts match. Select one with connected_account_id.',
});

export const accountNotFound = notFound('connected account');

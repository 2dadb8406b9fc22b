import { declareError } from '../../../kernel/errors.ts';

export const accountExists = declareError({
  status: 409,
  code: 'connected_account_already_exists',
  message:
    'The owner has a connected account for this provider. Update it, or send connection_intent: add for another ' +
    'one.',
});

export const invalidRefreshToken = declareError({
  status: 422,
  code: 'invalid_refresh_token',
  message: 'The refresh_token must consist of visible ASCII characters.',
});

export const invalidTokenCombination = declareError({
  status: 422,
  code: 'invalid_token_combination',
  message:
    'expires_at needs an access_token, and the state connected needs a refresh_token or an access_token that has not expired. Send the missing one, or leave the field out.',
});

export const invalidIntegrationState = declareError({
  status: 422,
  code: 'invalid_data_integration_state',
  message: 'The integration is incomplete. See its state.',
});

export const clientCredentialsNotConfigured = declareError({
  status: 422,
  code: 'client_credentials_not_configured',
  message:
    'The token cannot be refreshed, because the organization has not configured an OAuth client of its own. Configure one first.',
});

import type { Provider } from '../schema.ts';

export const provider: Provider = {
  slug: 'dropbox',
  name: 'Dropbox',
  documentation: 'https://developers.dropbox.com/oauth-guide',
  authMethods: ['oauth'],
  oauth: {
    authorizationUrl: 'https://www.dropbox.com/oauth2/authorize',
    tokenUrl: 'https://api.dropboxapi.com/oauth2/token',
    scopes: ['account_info.read', 'files.metadata.read'],
    authorizationParameters: {
      token_access_type: 'offline',
    },
    pkce: true,
    refresh: 'kept',
  },
  account: {
    from: 'request',
    url: 'https://api.dropboxapi.com/2/users/get_current_account',
    method: 'POST',
    identifier: 'account_id',
    displayName: 'name.display_name',
  },
};

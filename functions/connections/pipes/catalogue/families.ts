import type { Provider } from './schema.ts';

/** The members that differ between the products of one vendor. */
interface Product {
  slug: string;
  name: string;
  /** Scopes in addition to those that every product of the vendor needs. */
  scopes: string[];
}

/** A product of Google. One authorization server serves all products, which differ by their scopes. */
export const googleProvider = ({ slug, name, scopes }: Product, more: Partial<Provider> = {}): Provider => ({
  slug,
  name,
  documentation: 'https://developers.google.com/identity/protocols/oauth2/web-server',
  authMethods: ['oauth'],
  oauth: {
    authorizationUrl: 'https://accounts.google.com/o/oauth2/v2/auth',
    tokenUrl: 'https://oauth2.googleapis.com/token',
    issuer: 'https://accounts.google.com',
    scopes: ['openid', 'email', ...scopes],
    // Google sends a refresh token only with the first consent, unless the request asks for consent again.
    authorizationParameters: { access_type: 'offline', prompt: 'consent' },
    pkce: true,
    refresh: 'kept',
  },
  account: {
    from: 'request',
    url: 'https://openidconnect.googleapis.com/v1/userinfo',
    identifier: 'sub',
    displayName: 'email',
  },
  ...more,
});

const MICROSOFT_TOKEN_URL = 'https://login.microsoftonline.com/{tenant}/oauth2/v2.0/token';

/** A product of Microsoft. Entra ID serves all products, for one tenant or for the account's own tenant. */
export const microsoftProvider = ({ slug, name, scopes }: Product): Provider => ({
  slug,
  name,
  documentation: 'https://learn.microsoft.com/en-us/entra/identity-platform/v2-oauth2-auth-code-flow',
  authMethods: ['oauth', 'client_credentials'],
  oauth: {
    authorizationUrl: 'https://login.microsoftonline.com/{tenant}/oauth2/v2.0/authorize',
    tokenUrl: MICROSOFT_TOKEN_URL,
    scopes: ['offline_access', ...scopes],
    pkce: true,
    refresh: 'rotating',
  },
  clientCredentials: { tokenUrl: MICROSOFT_TOKEN_URL, scopes: ['https://graph.microsoft.com/.default'] },
  config: [
    {
      name: 'tenant',
      label: 'Tenant: its id or its domain',
      scope: 'installation',
      requiredFor: ['client_credentials'],
      pattern: '[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?',
      fallback: 'common',
    },
  ],
  account: {
    from: 'request',
    url: 'https://graph.microsoft.com/v1.0/me',
    identifier: 'id',
    displayName: 'userPrincipalName',
  },
});

/** A product of Atlassian. One authorization server serves all products, which differ by their scopes. */
export const atlassianProvider = ({
  slug,
  name,
  scopes,
  documentation,
}: Product & { documentation: string }): Provider => ({
  slug,
  name,
  documentation,
  authMethods: ['oauth', 'api_key'],
  oauth: {
    authorizationUrl: 'https://auth.atlassian.com/authorize',
    tokenUrl: 'https://auth.atlassian.com/oauth/token',
    scopes: ['offline_access', ...scopes],
    authorizationParameters: { audience: 'api.atlassian.com', prompt: 'consent' },
    refresh: 'rotating',
    // The provider's error for a refresh token that was used or has expired.
    errorAliases: { unauthorized_client: 'invalid_grant' },
  },
  account: {
    from: 'request',
    url: 'https://api.atlassian.com/oauth/token/accessible-resources',
    identifier: '0.id',
    displayName: '0.name',
  },
});

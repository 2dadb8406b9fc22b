import type { IDENTITY_PROVIDERS } from '../../../proofs/modules/credentials/public.ts';

/** The addresses of a provider. */
export interface Endpoints {
  authorization: string;
  token: string;
  userinfo?: string | undefined;
  /** The endpoint for the account's email addresses, if the account itself does not show which are verified. */
  emails?: string | undefined;
  /** The endpoint for the keys of ID tokens. */
  jwks?: string | undefined;
}

/** The members in which a provider differs from the standards. */
export interface ProviderFacts {
  /** The provider's display name. */
  name: string;
  /**
   * The protocol: `oidc` has ID tokens (OpenID Connect Core 1.0); `github` and `bitbucket` are OAuth 2.0 with that
   * service's own endpoints.
   */
  protocol: 'oidc' | 'github' | 'bitbucket';
  /** The provider's issuer; `{tenant}` is replaced by the configuration's. With OpenID Connect, discovery begins here. */
  issuer: string;
  /** Endpoints that discovery does not contain; `{issuer}` is replaced by the configuration's. */
  endpoints?: Endpoints;
  /** Endpoints like `endpoints`, for installations with another `issuer`. */
  selfHosted?: Endpoints;
  scopes: readonly string[];
  /** The client authentication method; `apple`: a new signed client secret for each call. */
  authenticateVia: 'body' | 'header' | 'apple';
  /** False if it does not support code challenges (RFC 7636). Default true. */
  pkce?: false;
  /** False if its ID tokens do not repeat the nonce. Default true. */
  nonce?: false;
  /** The claim that reports a verified email and is trusted; null if there is none. By default it is `email_verified`. */
  emailProof?: string | null;
  /**
   * False if it cannot be required to authenticate a signed-in user again. It can by default, with `prompt=login` and
   * `max_age`.
   */
  reauthenticates?: false;
  responseMode?: 'form_post';
  /** The parameter that names the account for the sign-in; `login_hint` by default. */
  loginHint?: string;
  /** The parameter that names the domain of the account, if there is one. */
  domainHint?: string;
}

const OPENID = ['openid', 'profile', 'email'] as const;

const gitHubAt = (site: string, api: string): Endpoints => ({
  authorization: `${site}/login/oauth/authorize`,
  token: `${site}/login/oauth/access_token`,
  userinfo: `${api}/user`,
  emails: `${api}/user/emails`,
});

/**
 * The providers of the contract. VercelMarketplaceOAuth is missing, because its sign-in starts at the marketplace, which
 * has no authorization endpoint.
 */
export const catalogue: Readonly<Partial<Record<(typeof IDENTITY_PROVIDERS)[number], ProviderFacts>>> = {
  AppleOAuth: {
    name: 'Apple',
    reauthenticates: false,
    protocol: 'oidc',
    issuer: 'https://appleid.apple.com',
    scopes: ['openid', 'name', 'email'],
    authenticateVia: 'apple',
    pkce: false,
    // Apple requires this if a name or an email is requested.
    responseMode: 'form_post',
  },
  BitbucketOAuth: {
    name: 'Bitbucket',
    reauthenticates: false,
    protocol: 'bitbucket',
    issuer: 'https://bitbucket.org',
    endpoints: {
      authorization: '{issuer}/site/oauth2/authorize',
      token: '{issuer}/site/oauth2/access_token',
      userinfo: 'https://api.bitbucket.org/2.0/user',
      emails: 'https://api.bitbucket.org/2.0/user/emails',
    },
    scopes: ['account', 'email'],
    authenticateVia: 'header',
    pkce: false,
  },
  GitHubOAuth: {
    name: 'GitHub',
    reauthenticates: false,
    protocol: 'github',
    issuer: 'https://github.com',
    endpoints: gitHubAt('{issuer}', 'https://api.github.com'),
    selfHosted: gitHubAt('{issuer}', '{issuer}/api/v3'),
    scopes: ['read:user', 'user:email'],
    authenticateVia: 'body',
    loginHint: 'login',
  },
  GitLabOAuth: {
    name: 'GitLab',
    protocol: 'oidc',
    issuer: 'https://gitlab.com',
    scopes: OPENID,
    authenticateVia: 'body',
  },
  GoogleOAuth: {
    name: 'Google',
    protocol: 'oidc',
    issuer: 'https://accounts.google.com',
    scopes: OPENID,
    authenticateVia: 'body',
    domainHint: 'hd',
  },
  IntuitOAuth: {
    name: 'Intuit',
    reauthenticates: false,
    protocol: 'oidc',
    issuer: 'https://oauth.platform.intuit.com/op/v1',
    // The provider's discovery document is not at the standard address.
    endpoints: {
      authorization: 'https://appcenter.intuit.com/connect/oauth2',
      token: 'https://oauth.platform.intuit.com/oauth2/v1/tokens/bearer',
      userinfo: 'https://accounts.platform.intuit.com/v1/openid_connect/userinfo',
      jwks: 'https://oauth.platform.intuit.com/op/v1/jwks',
    },
    scopes: OPENID,
    authenticateVia: 'header',
    pkce: false,
    nonce: false,
    emailProof: 'emailVerified',
  },
  LinkedInOAuth: {
    name: 'LinkedIn',
    reauthenticates: false,
    protocol: 'oidc',
    issuer: 'https://www.linkedin.com/oauth',
    scopes: OPENID,
    authenticateVia: 'body',
    pkce: false,
    nonce: false,
  },
  MicrosoftOAuth: {
    name: 'Microsoft',
    protocol: 'oidc',
    issuer: 'https://login.microsoftonline.com/{tenant}/v2.0',
    scopes: OPENID,
    authenticateVia: 'body',
    // A tenant's administrator may write any email into an account; this optional claim reports that the tenant owns
    // its domain.
    emailProof: 'xms_edov',
    domainHint: 'domain_hint',
  },
  SalesforceOAuth: {
    name: 'Salesforce',
    protocol: 'oidc',
    issuer: 'https://login.salesforce.com',
    scopes: OPENID,
    authenticateVia: 'body',
  },
  SlackOAuth: {
    name: 'Slack',
    reauthenticates: false,
    protocol: 'oidc',
    issuer: 'https://slack.com',
    scopes: OPENID,
    authenticateVia: 'body',
  },
  VercelOAuth: {
    name: 'Vercel',
    protocol: 'oidc',
    issuer: 'https://vercel.com',
    scopes: OPENID,
    authenticateVia: 'body',
  },
  XeroOAuth: {
    name: 'Xero',
    protocol: 'oidc',
    issuer: 'https://identity.xero.com',
    scopes: OPENID,
    authenticateVia: 'header',
    emailProof: null,
  },
};

import * as z from 'zod';

/** Methods by which accounts authenticate with a provider. */
export const AuthMethod = z.enum(['oauth', 'api_key', 'client_credentials']);
export type AuthMethod = z.output<typeof AuthMethod>;

const name = z.string().regex(/^[a-z][a-z0-9_]*$/);
const parameters = z.record(z.string(), z.string());

/** An address with placeholders for config fields: `https://{subdomain}.example.com/oauth/token`. Always https. */
const UrlTemplate = z.string().regex(/^https:\/\/[^\s?#]+(\?[^\s#]*)?$/);

/**
 * The path of a value in a JSON response, such as `team.id` or `0.tenantId`; of several paths the first one with a value is
 * used.
 */
const Path = z.union([z.string(), z.array(z.string())]);

/**
 * A value that an integration or a connection supplies, for use in the provider's addresses. Its pattern (or its list of
 * values) must not allow an address on another host, which the tests of the catalogue check.
 */
const ConfigField = z.strictObject({
  name,
  label: z.string(),
  /**
   * The scope: `installation` values may be given with each connection, `integration` values only by the environment or an
   * organization.
   */
  scope: z.enum(['integration', 'installation']),
  /** The authentication methods that need the value before an account is connected; empty if none does. */
  requiredFor: z.array(AuthMethod),
  /** True for a value that is stored encrypted and never returned. */
  secret: z.boolean().optional(),
  /** Regular expression for the whole value. */
  pattern: z.string().optional(),
  values: z.array(z.string()).optional(),
  /** The default in the addresses if no value is given. */
  fallback: z.string().optional(),
});

/**
 * The method by which a client authenticates at the token endpoint (RFC 6749 section 2.3.1), and the format of its
 * request.
 */
const tokenRequest = {
  tokenUrl: UrlTemplate,
  authenticateVia: z.enum(['request_body', 'basic_auth_header']).default('request_body'),
  tokenBody: z
    .enum(['application/x-www-form-urlencoded', 'application/json'])
    .default('application/x-www-form-urlencoded'),
  /** Lifetime of an access token, in seconds, if the provider has one but does not return it. */
  assumedLifetimeSeconds: z.number().int().positive().optional(),
  /** The provider's own error codes that mean one of RFC 6749 section 5.2. */
  errorAliases: z.record(z.string(), z.enum(['invalid_grant', 'invalid_client', 'temporarily_unavailable'])).optional(),
};

const OAuth = z.strictObject({
  authorizationUrl: UrlTemplate,
  ...tokenRequest,
  /** Endpoint for refresh tokens, if it is not the token endpoint. */
  refreshUrl: UrlTemplate.optional(),
  /** The `iss` of its authorization responses (RFC 9207), if it sends one. */
  issuer: UrlTemplate.optional(),
  /** The scopes that are requested if the integration has none. */
  scopes: z.array(z.string()).default([]),
  scopeSeparator: z.enum([' ', ',']).default(' '),
  scopesRequired: z.boolean().optional(),
  clientSecretRequired: z.boolean().default(true),
  authorizationParameters: parameters.default({}),
  /** True if it supports the code challenge method S256 (RFC 7636). */
  pkce: z.boolean().default(false),
  /**
   * The kind of refresh tokens: `none`; `kept`, where the same one is used again; `rotating`, where each refresh returns a
   * new one.
   */
  refresh: z.enum(['none', 'kept', 'rotating']).default('none'),
});

const ClientCredentials = z.strictObject({
  ...tokenRequest,
  scopes: z.array(z.string()).default([]),
  scopeSeparator: z.enum([' ', ',']).default(' '),
  /** Further members of the token request; values may name config fields. */
  parameters: parameters.default({}),
});

/** The request that identifies the connected account. Identifiers never change; display names are for people. */
const Account = z.discriminatedUnion('from', [
  z.strictObject({ from: z.literal('token'), identifier: Path, displayName: Path.optional() }),
  z.strictObject({ from: z.literal('callback'), identifier: z.string() }),
  z.strictObject({ from: z.literal('config'), identifier: z.string() }),
  z.strictObject({
    from: z.literal('request'),
    url: UrlTemplate,
    method: z.enum(['GET', 'POST']).optional(),
    /** Scheme of the Authorization header; default Bearer. */
    scheme: z.string().optional(),
    headers: parameters.optional(),
    /** The body as JSON text. */
    body: z.string().optional(),
    identifier: Path,
    displayName: Path.optional(),
  }),
]);

/** Reviewed data about one provider, in a separate file. */
export const Provider = z.strictObject({
  slug: z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/),
  name: z.string(),
  /** The provider's own documentation from which the data was taken. */
  documentation: z.url({ protocol: /^https$/ }),
  authMethods: z.array(AuthMethod).min(1),
  oauth: OAuth.optional(),
  clientCredentials: ClientCredentials.optional(),
  config: z.array(ConfigField).default([]),
  account: Account.optional(),
});

/** A provider as its file describes it; missing members have defaults. */
export type Provider = z.input<typeof Provider>;
export type ConfigField = z.output<typeof ConfigField>;
export type Account = z.output<typeof Account>;

import * as z from 'zod';

import { AuthMethod } from './auth-method.ts';

const name = z.string().regex(/^[a-z][a-z0-9_]*$/);
const parameters = z.record(z.string(), z.string());

/** An address with places for config fields: `https://{subdomain}.example.com/oauth/token`. Always https. */
const UrlTemplate = z.string().regex(/^https:\/\/[^\s?#]+(\?[^\s#]*)?$/);

/** Where a value stands in a JSON answer: `team.id`, `0.tenantId`; of several paths the first that is there. */
const Path = z.union([z.string(), z.array(z.string())]);

/**
 * A value that an integration or a connection supplies, for use in the provider's addresses. Its pattern (or its list
 * of values) must leave no way to reach another host: see the catalogue's tests.
 */
const ConfigField = z.strictObject({
  name,
  label: z.string(),
  /** `installation`: may be given with each connection; `integration`: by the environment or an organization alone. */
  scope: z.enum(['integration', 'installation']),
  /** Whether it must be known before an account is connected by one of these methods; empty where it never must. */
  requiredFor: z.array(AuthMethod),
  /** Stored sealed and never returned. */
  secret: z.boolean().optional(),
  /** Regular expression for the whole value. */
  pattern: z.string().optional(),
  values: z.array(z.string()).optional(),
  /** What stands in the addresses while nothing was given. */
  fallback: z.string().optional(),
});

/** How a client shows its secret at the token endpoint (RFC 6749 section 2.3.1) and in what form it sends its request. */
const tokenRequest = {
  tokenUrl: UrlTemplate,
  authenticateVia: z.enum(['request_body', 'basic_auth_header']).default('request_body'),
  tokenBody: z
    .enum(['application/x-www-form-urlencoded', 'application/json'])
    .default('application/x-www-form-urlencoded'),
  /** Lifetime of an access token, in seconds, where the provider has one and does not say so. */
  assumedLifetimeSeconds: z.number().int().positive().optional(),
  /** The provider's own error codes that mean one of RFC 6749 section 5.2. */
  errorAliases: z.record(z.string(), z.enum(['invalid_grant', 'invalid_client', 'temporarily_unavailable'])).optional(),
};

const OAuth = z.strictObject({
  authorizationUrl: UrlTemplate,
  ...tokenRequest,
  /** Where refresh tokens are presented, when not at the token endpoint. */
  refreshUrl: UrlTemplate.optional(),
  /** The `iss` of its authorization responses (RFC 9207), where it sends one. */
  issuer: UrlTemplate.optional(),
  /** Requested where the integration names none. */
  scopes: z.array(z.string()).default([]),
  scopeSeparator: z.enum([' ', ',']).default(' '),
  scopesRequired: z.boolean().optional(),
  clientSecretRequired: z.boolean().default(true),
  authorizationParameters: parameters.default({}),
  /** Whether it takes a code challenge by S256 (RFC 7636). */
  pkce: z.boolean().default(false),
  /** `none`: no refresh tokens; `kept`: the same one is used again; `rotating`: each refresh brings a new one. */
  refresh: z.enum(['none', 'kept', 'rotating']).default('none'),
});

const ClientCredentials = z.strictObject({
  ...tokenRequest,
  scopes: z.array(z.string()).default([]),
  scopeSeparator: z.enum([' ', ',']).default(' '),
  /** Further members of the token request; values may name config fields. */
  parameters: parameters.default({}),
});

/** How to tell which account was connected. Identifiers are stable; display names are for people. */
const Account = z.discriminatedUnion('from', [
  z.strictObject({ from: z.literal('token'), identifier: Path, displayName: Path.optional() }),
  z.strictObject({ from: z.literal('callback'), identifier: z.string() }),
  z.strictObject({ from: z.literal('config'), identifier: z.string() }),
  z.strictObject({
    from: z.literal('request'),
    url: UrlTemplate,
    method: z.enum(['GET', 'POST']).optional(),
    /** Word before the access token in the Authorization header; default Bearer. */
    scheme: z.string().optional(),
    headers: parameters.optional(),
    /** A JSON body as text. */
    body: z.string().optional(),
    identifier: Path,
    displayName: Path.optional(),
  }),
]);

/** What is known of one provider: reviewed data, one file each. */
export const Provider = z.strictObject({
  slug: z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/),
  name: z.string(),
  /** The provider's own documentation that the facts were taken from. */
  documentation: z.url({ protocol: /^https$/ }),
  authMethods: z.array(AuthMethod).min(1),
  oauth: OAuth.optional(),
  clientCredentials: ClientCredentials.optional(),
  config: z.array(ConfigField).default([]),
  account: Account.optional(),
});

/** A provider as its file says it: what is left out is the usual. */
export type Provider = z.input<typeof Provider>;
export type ConfigField = z.output<typeof ConfigField>;
export type Account = z.output<typeof Account>;

import * as z from 'zod';

import type { ProviderDefinition } from '../catalogue/definition.ts';
import type { CustomProviderRecord } from './entity.ts';

/**
 * The addresses, which are validated together with the method: a provider with API keys only has none, even if clients send
 * texts for them.
 */
const url = z.string().max(2_048);
const AuthenticateVia = z.enum(['request_body', 'basic_auth_header']);
const TokenBody = z.enum(['application/x-www-form-urlencoded', 'application/json']);

/** Parameters of the authorization request that the service itself sets. */
const RESERVED = new Set([
  'response_type',
  'client_id',
  'redirect_uri',
  'state',
  'code_challenge',
  'code_challenge_method',
  'scope',
  'request',
  'request_uri',
  'response_mode',
]);

const parameters = z
  .record(z.string().min(1).max(100), z.string().max(1_000))
  .refine((given) => Object.keys(given).length <= 20, 'has more than 20 members')
  .refine((given) => !Object.keys(given).some((name) => RESERVED.has(name)), 'names a parameter that is set already');

const members = {
  authorization_url: url.nullable().optional(),
  token_url: url.nullable().optional(),
  refresh_token_url: url.nullable().optional(),
  request_scope_separator: z.string().min(1).max(3).nullable().optional(),
  additional_authorization_parameters: parameters.optional(),
  token_body_content_type: TokenBody.optional(),
  authenticate_via: AuthenticateVia.optional(),
};
const name = z.string().trim().min(1).max(255);

export const CreateCustomProvider = z
  .object({
    name,
    ...members,
    pkce_enabled: z.boolean().nullable().default(true),
    scopes_required: z.boolean().default(false),
    client_secret_required: z.boolean().default(true),
  })
  .meta({ id: 'CustomProviderDefinitionDto' });

export const UpdateCustomProvider = z
  .object({
    name: name.optional(),
    ...members,
    pkce_enabled: z.boolean().nullable().optional(),
    scopes_required: z.boolean().optional(),
    client_secret_required: z.boolean().optional(),
  })
  .meta({ id: 'UpdateCustomProviderDefinitionDto' });

export const CustomProvider = z
  .object({
    name: z.string(),
    authorization_url: z.string().nullable(),
    token_url: z.string().nullable(),
    refresh_token_url: z.string().nullable(),
    pkce_enabled: z.boolean(),
    request_scope_separator: z.string(),
    scopes_required: z.boolean(),
    client_secret_required: z.boolean(),
    additional_authorization_parameters: z.record(z.string(), z.string()),
    token_body_content_type: z.string(),
    authenticate_via: AuthenticateVia,
  })
  .meta({ id: 'DataIntegrationCustomProvider' });

/** A definition without the members of its record. */
interface Fields {
  name: string;
  authorizationUrl?: string | undefined;
  tokenUrl?: string | undefined;
  refreshTokenUrl?: string | undefined;
  pkceEnabled: boolean;
  requestScopeSeparator: string;
  scopesRequired: boolean;
  clientSecretRequired: boolean;
  additionalAuthorizationParameters: Record<string, string>;
  tokenBodyContentType: 'application/x-www-form-urlencoded' | 'application/json';
  authenticateVia: 'request_body' | 'basic_auth_header';
}

/** The definition in a record. */
export const fieldsOfCustomProvider = (record: CustomProviderRecord): Fields => ({
  ...record,
  additionalAuthorizationParameters: record.additionalAuthorizationParameters as Record<string, string>,
});

const defaults = {
  pkceEnabled: true,
  requestScopeSeparator: ' ',
  scopesRequired: false,
  clientSecretRequired: true,
  additionalAuthorizationParameters: {},
  tokenBodyContentType: 'application/x-www-form-urlencoded',
  authenticateVia: 'request_body',
} as const;

/** The new value of a member: an absent one keeps the previous value, null returns to the default. */
const next = <T>(given: T | null | undefined, former: T | undefined, fallback: T): T =>
  given === undefined ? (former ?? fallback) : (given ?? fallback);

/** The fields of a new definition, or of an updated one. */
export function customProviderFields(body: z.output<typeof UpdateCustomProvider>, former?: Fields): Fields {
  return {
    name: body.name ?? former?.name ?? '',
    authorizationUrl: next<string | undefined>(body.authorization_url, former?.authorizationUrl, undefined),
    tokenUrl: next<string | undefined>(body.token_url, former?.tokenUrl, undefined),
    refreshTokenUrl: next<string | undefined>(body.refresh_token_url, former?.refreshTokenUrl, undefined),
    pkceEnabled: next(body.pkce_enabled, former?.pkceEnabled, defaults.pkceEnabled),
    requestScopeSeparator: next<string>(
      body.request_scope_separator,
      former?.requestScopeSeparator,
      defaults.requestScopeSeparator,
    ),
    scopesRequired: next(body.scopes_required, former?.scopesRequired, defaults.scopesRequired),
    clientSecretRequired: next(
      body.client_secret_required,
      former?.clientSecretRequired,
      defaults.clientSecretRequired,
    ),
    additionalAuthorizationParameters: next<Record<string, string>>(
      body.additional_authorization_parameters,
      former?.additionalAuthorizationParameters,
      defaults.additionalAuthorizationParameters,
    ),
    tokenBodyContentType: next<Fields['tokenBodyContentType']>(
      body.token_body_content_type,
      former?.tokenBodyContentType,
      defaults.tokenBodyContentType,
    ),
    authenticateVia: next<Fields['authenticateVia']>(
      body.authenticate_via,
      former?.authenticateVia,
      defaults.authenticateVia,
    ),
  };
}

/** A customer's own provider as callers see it. */
export function presentCustomProvider(fields: Fields): z.input<typeof CustomProvider> {
  return {
    name: fields.name,
    authorization_url: fields.authorizationUrl ?? null,
    token_url: fields.tokenUrl ?? null,
    refresh_token_url: fields.refreshTokenUrl ?? null,
    pkce_enabled: fields.pkceEnabled,
    request_scope_separator: fields.requestScopeSeparator,
    scopes_required: fields.scopesRequired,
    client_secret_required: fields.clientSecretRequired,
    additional_authorization_parameters: fields.additionalAuthorizationParameters,
    token_body_content_type: fields.tokenBodyContentType,
    authenticate_via: fields.authenticateVia,
  };
}

/** A customer's own provider in the form that the area uses. */
export function customDefinition(slug: string, fields: Fields): ProviderDefinition {
  const { authorizationUrl, tokenUrl, requestScopeSeparator, authenticateVia, tokenBodyContentType } = fields;
  const request = {
    authenticateVia,
    tokenBody: tokenBodyContentType,
    scopes: [],
    scopeSeparator: requestScopeSeparator,
  };
  return {
    slug,
    name: fields.name,
    isCustom: true,
    authMethods: [
      ...(authorizationUrl !== undefined && tokenUrl !== undefined ? (['oauth'] as const) : []),
      'api_key',
      ...(tokenUrl === undefined ? [] : (['client_credentials'] as const)),
    ],
    ...(authorizationUrl === undefined || tokenUrl === undefined
      ? {}
      : {
          oauth: {
            ...request,
            authorizationUrl,
            tokenUrl,
            refreshUrl: fields.refreshTokenUrl,
            scopesRequired: fields.scopesRequired,
            clientSecretRequired: fields.clientSecretRequired,
            authorizationParameters: fields.additionalAuthorizationParameters,
            pkce: fields.pkceEnabled,
            refresh: 'rotating',
          },
        }),
    ...(tokenUrl === undefined ? {} : { clientCredentials: { ...request, tokenUrl, parameters: {} } }),
    config: [],
  };
}

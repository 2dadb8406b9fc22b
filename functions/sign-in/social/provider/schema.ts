import * as z from 'zod';

import { listSchema } from '../../../kernel/pagination.ts';
import { secret, timestamp } from '../../../kernel/values.ts';
import type { ProviderFacts } from '../catalogue/facts.ts';
import { issuerOf, knownEndpoints } from '../catalogue/find.ts';
import type { SocialProviderRecord } from './entity.ts';

const url = z.string().min(1).max(2_048);
const presentUrl = z.string().nullable();

/** A scope of RFC 6749 section 3.3. */
const Scope = z.string().regex(/^[\x21\x23-\x5B\x5D-\x7E]{1,255}$/, 'must be a scope without blanks');

/** Endpoints, which are replaced together: those that are not named are discovered, or come from the catalogue. */
const EndpointOverrides = z.object({
  authorization: url.optional().describe('The endpoint to which the browser is redirected.'),
  token: url.optional().describe('The endpoint where codes are exchanged.'),
  userinfo: url.optional().describe('The endpoint of the claims of the user.'),
  emails: url.optional().describe('The endpoint of the email addresses of the account; only for GitHub and Bitbucket.'),
  jwks: url.optional().describe('The address of the keys that sign ID tokens.'),
});

const AppleKey = z.object({
  team_id: z.string().min(1).max(64).describe('The id of your team at Apple.'),
  key_id: z.string().min(1).max(64).describe('The id of the key.'),
  private_key: secret.min(1).max(4_096).describe('The content of the .p8 file: a P-256 key as PKCS #8 in PEM.'),
});

/** The body of an update: absent members are unchanged, and null returns to the provider's default. */
export const ConfigureProvider = z
  .object({
    enabled: z
      .boolean()
      .optional()
      .describe(
        'Whether users can sign in with the provider. Default of a new configuration: true. False keeps the configuration.',
      ),
    client_id: z.string().min(1).max(1_024).optional().describe('The client id that the provider gave you.'),
    client_secret: secret.min(1).max(16_384).optional().describe('The secret of your client at the provider.'),
    scopes: z
      .array(Scope)
      .min(1)
      .max(100)
      .nullable()
      .optional()
      .describe('The scopes that replace the provider’s default scopes.'),
    return_oauth_tokens: z
      .boolean()
      .optional()
      .describe('Whether the response of the authorization code grant contains `oauth_tokens`.'),
    tenant: z
      .string()
      .regex(/^[A-Za-z0-9][A-Za-z0-9.-]{0,254}$/, 'must be a tenant’s id or domain')
      .nullable()
      .optional()
      .describe('Microsoft only: `common`, `organizations`, `consumers`, or a tenant’s id or domain.'),
    issuer: url
      .nullable()
      .optional()
      .describe(
        'The URL of the provider if it is an installation of your own, such as GitHub Enterprise Server. With OpenID Connect it is the issuer in the tokens.',
      ),
    endpoints: EndpointOverrides.nullable()
      .optional()
      .describe(
        'Addresses of the provider. They replace all former ones: an endpoint that is left out gets the provider’s default.',
      ),
    apple: AppleKey.optional().describe('The key of Apple, which replaces the client secret.'),
  })
  .meta({ id: 'ConfigureSocialProvider' });

export const PresentedProvider = z
  .object({
    object: z.literal('social_provider'),
    provider: z.string(),
    name: z.string(),
    enabled: z.boolean(),
    client_id: z.string(),
    client_secret_last_four: z.string().nullable(),
    scopes: z.array(z.string()),
    return_oauth_tokens: z.boolean(),
    tenant: z.string().nullable(),
    issuer: z.string(),
    endpoints: z
      .object({
        authorization: presentUrl,
        token: presentUrl,
        userinfo: presentUrl,
        emails: presentUrl,
        jwks: presentUrl,
      })
      .describe('The endpoints that are known without a request to the provider.'),
    apple: z.object({ team_id: z.string().describe('The id of your team at Apple.'), key_id: z.string() }).nullable(),
    redirect_uri: z.string().describe('The redirect URI, which must be registered with the provider.'),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'SocialProvider' });

export const SocialProviderList = listSchema(PresentedProvider).meta({ id: 'SocialProviderList' });

/** The scopes of a sign-in: the configured or the default ones. */
export const scopesOf = (facts: ProviderFacts, { scopes }: Pick<SocialProviderRecord, 'scopes'>): readonly string[] =>
  scopes ?? facts.scopes;

/** A configured provider as the API shows it: never its secrets. */
export function presentProvider(
  record: SocialProviderRecord,
  facts: ProviderFacts,
  redirectUri: string,
): z.input<typeof PresentedProvider> {
  const endpoints = knownEndpoints(facts, record);
  const { authorization = null, token = null, userinfo = null, emails = null, jwks = null } = endpoints;
  const { appleTeamId, appleKeyId } = record;
  return {
    object: 'social_provider',
    provider: record.id,
    name: facts.name,
    enabled: record.enabled,
    client_id: record.clientId,
    client_secret_last_four: record.clientSecretLastFour ?? null,
    scopes: [...scopesOf(facts, record)],
    return_oauth_tokens: record.returnsTokens,
    tenant: record.tenant ?? null,
    issuer: issuerOf(facts, record),
    endpoints: { authorization, token, userinfo, emails, jwks },
    apple: appleTeamId === undefined || appleKeyId === undefined ? null : { team_id: appleTeamId, key_id: appleKeyId },
    redirect_uri: redirectUri,
    created_at: record.createdAt,
    updated_at: record.updatedAt,
  };
}

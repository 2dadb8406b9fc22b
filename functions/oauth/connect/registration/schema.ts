import * as z from 'zod';

import { secret } from '../../../kernel/values.ts';

const text = z.string().max(2_048).optional();
const texts = z.array(z.string().max(255)).max(20).optional();

/** The metadata that a client sends (RFC 7591 section 2). Unknown members are ignored, as the RFC requires. */
export const ClientMetadata = z
  .object({
    redirect_uris: z.array(z.string().min(1).max(1_000)).max(20).optional(),
    client_name: z.string().max(1_000).optional(),
    token_endpoint_auth_method: text.meta({
      enum: ['none', 'client_secret_basic', 'client_secret_post', 'private_key_jwt'],
    }),
    jwks: z
      .object({ keys: z.array(z.record(z.string(), z.unknown())).max(10) })
      .optional()
      .describe('The public keys of `private_key_jwt` (RFC 7517).'),
    jwks_uri: text.describe('The URL of the public keys, which are fetched when they are needed.'),
    grant_types: texts,
    response_types: texts,
    scope: z.string().max(4_096).optional(),
    client_uri: text,
    application_type: text.describe(
      '`web` or `native`. It is accepted and has no effect: the same redirect URIs are allowed for both.',
    ),
  })
  .meta({ id: 'OAuthClientMetadata' });

export type ClientMetadata = z.output<typeof ClientMetadata>;

const members = {
  client_id: z.string(),
  client_id_issued_at: z.number().int(),
  client_name: z.string(),
  redirect_uris: z.array(z.string()),
  token_endpoint_auth_method: z.string(),
  grant_types: z.array(z.string()),
  response_types: z.array(z.string()),
  scope: z.string(),
};

/** The registration in the form in which its client reads it (RFC 7592 section 3). */
export const ClientInformation = z.object(members).meta({ id: 'OAuthClientInformation' });

/**
 * The response to a registration (RFC 7591 section 3.2.1). It is the only one that contains the secret and the registration
 * token.
 */
export const NewClientInformation = z
  .object({
    ...members,
    client_secret: secret.optional(),
    client_secret_expires_at: z
      .number()
      .int()
      .optional()
      .describe('Always 0, which means that the secret does not expire.'),
    registration_access_token: secret,
    registration_client_uri: z.string(),
  })
  .meta({ id: 'NewOAuthClientInformation' });

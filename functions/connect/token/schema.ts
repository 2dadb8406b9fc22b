import * as z from 'zod';

import { secret } from '../../kernel/values.ts';

const text = z.string().max(4_096).optional();

/** The members of all grants; each grant checks those that it needs. */
export const TokenRequest = z
  .object({
    grant_type: z.string().max(200).meta({ example: 'client_credentials' }),
    client_id: text,
    client_secret: z.string().max(4_096).optional().meta({ format: 'password' }),
    scope: text.describe(
      'Scopes separated by spaces; if absent, all scopes of the application (RFC 6749 section 3.3).',
    ),
    resource: text.describe(
      'The service that the token is for (RFC 8707); by default the environment’s default resource.',
    ),
  })
  .meta({ id: 'OAuthTokenRequest' });

export const TokenResponse = z
  .object({
    access_token: secret,
    token_type: z.literal('Bearer'),
    expires_in: z.number().int(),
    scope: z.string(),
  })
  .meta({ id: 'OAuthTokenResponse' });

import * as z from 'zod';

import { secret, timestamp } from '../../../kernel/values.ts';
import { clientMembers } from '../client-secret/schema.ts';

const text = z.string().max(4_096).optional();
const credential = text.meta({ format: 'password' });
const token = z.string().max(16_384).optional().meta({ format: 'password' });

/** The members of all grant types; each grant type checks those that it needs. */
export const TokenRequest = z
  .object({
    grant_type: z.string().max(200).meta({ example: 'client_credentials' }),
    ...clientMembers,
    scope: text.describe(
      'The scopes, separated by spaces. For client credentials they are by default all scopes of the application; for a refresh they can be fewer than were granted (RFC 6749 sections 3.3 and 6). ' +
        'For an exchange they are the permissions that the agent’s token may have at most.',
    ),
    resource: text.describe(
      'The service that the token is for (RFC 8707); by default the environment’s default resource. After an authorization it can ' +
        'only be the one of that request.',
    ),
    code: credential.describe(
      'The `code` that the redirect URI of the application received. It can be exchanged once.',
    ),
    code_verifier: credential,
    redirect_uri: text.describe('The redirect URI of the authorization request, if it named one.'),
    refresh_token: credential,
    device_code: credential,
    assertion: token.describe('The assertion of an agent that registered itself.'),
    claim_token: credential.describe('The claim token of an agent that waits for its claim.'),
    audience: text.describe('The id of the agent blueprint for which a token is exchanged (RFC 8693 section 2.1).'),
    subject_token: token.describe('The access token of the user’s session or of the agent that delegates.'),
    subject_token_type: text.meta({ example: 'urn:ietf:params:oauth:token-type:access_token' }),
    requested_token_type: text.describe('The type of the new token, which can only be an access token.'),
    actor_token: token.describe('Not supported: an exchange with it is rejected.'),
  })
  .meta({ id: 'OAuthTokenRequest' });

export type TokenRequest = z.output<typeof TokenRequest>;

export const TokenResponse = z
  .object({
    access_token: secret,
    token_type: z.literal('Bearer'),
    expires_in: z.number().int(),
    issued_token_type: z.string().optional().describe('The type of an exchanged token (RFC 8693 section 2.2.1).'),
    scope: z.string(),
    refresh_token: secret.optional(),
    id_token: secret.optional(),
    identity_assertion: secret.optional().describe('The new assertion of an agent after its claim.'),
    assertion_expires: timestamp.optional(),
  })
  .meta({ id: 'OAuthTokenResponse' });

export type TokenResponse = z.input<typeof TokenResponse>;

import * as z from 'zod';

import { secret } from '../../../kernel/values.ts';
import { AccountOwnerKind } from '../connected-account/schema.ts';

/** The members by which a caller selects the connected account whose credentials it wants. */
export const Vend = z.object({
  user_id: z.string(),
  organization_id: z.string().optional(),
  connected_account_id: z.string().min(1).optional(),
  connection_owner: AccountOwnerKind.default('user'),
  supports_multiple_connections: z.boolean().default(false),
});

const inactive = z.object({ active: z.literal(false), error: z.enum(['not_installed', 'needs_reauthorization']) });

const token = {
  expires_at: z.string().nullable(),
  scopes: z.array(z.string()),
  missing_scopes: z.array(z.string()),
};
/** Fields of the provider's token response that are no secrets. */
const metadata = z.record(z.string(), z.unknown());
const credential = {
  object: z.literal('credential'),
  value: secret,
  /**
   * Config values that address the account at the provider, such as a subdomain. The contract does not have this member,
   * but current clients read it.
   */
  config: z.record(z.string(), z.string()).optional(),
};

export const AccessTokenResponse = z
  .discriminatedUnion('active', [
    z.object({
      active: z.literal(true),
      access_token: z.object({ object: z.literal('access_token'), access_token: secret, ...token }),
    }),
    inactive,
  ])
  .meta({ id: 'DataIntegrationAccessTokenResponse' });

const active = <T extends z.ZodType>(vended: T) => z.object({ active: z.literal(true), credential: vended });

export const CredentialsResponse = z
  .union([
    active(z.object({ ...credential, auth_method: z.literal('oauth'), ...token, metadata })),
    active(
      z.object({
        ...credential,
        auth_method: z.literal('api_key'),
        /**
         * The scopes, which the contract does not have for an API key; some clients expect the same members for every
         * method.
         */
        scopes: z.array(z.string()),
        missing_scopes: z.array(z.string()),
      }),
    ),
    active(
      z.object({
        ...credential,
        auth_method: z.literal('client_credentials'),
        ...token,
        metadata,
      }),
    ),
    inactive,
  ])
  .meta({ id: 'DataIntegrationCredentialsResponse' });

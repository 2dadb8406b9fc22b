import * as z from 'zod';

import { AccountOwnerKind, ConfigMap, ConnectedAccount } from '../connected-account/schema.ts';

export const Authorize = z.object({
  user_id: z.string(),
  organization_id: z.string().optional(),
  connection_owner: AccountOwnerKind.default('user'),
  return_to: z.url().max(2_048).optional(),
  config: ConfigMap.optional(),
  /** The intent, which the contract does not have: to add a connected account, or to authorize the named one again. */
  connection_intent: z.enum(['add', 'reauthorize']).optional(),
  connected_account_id: z.string().min(1).optional(),
  /**
   * The code challenge, which the contract does not have, like the two members below: with it, the connected account is
   * held until the application finishes it (RFC 7636 section 4.2).
   */
  code_challenge: z
    .string()
    .regex(/^[A-Za-z0-9_-]{43}$/, 'must be the base64url SHA-256 of a code_verifier: 43 characters')
    .optional(),
  code_challenge_method: z.literal('S256').optional(),
});

export const AuthorizationUrl = z
  .object({
    url: z.string(),
    /**
     * The state, which the contract does not have: it identifies the authorization, and `return_to` gets it with
     * `connect_code` or `error`.
     */
    state: z.string(),
    completion: z.literal('finish_required').optional(),
  })
  .meta({ id: 'DataIntegrationAuthorizeUrlResponse' });

export const FinishConnection = z.object({
  connect_code: z
    .string()
    .min(1)
    .max(200)
    .describe('The code that `return_to` received. It can be used once, within 90 seconds.'),
  /** The verifier (RFC 7636 section 4.1). */
  code_verifier: z.string().regex(/^[A-Za-z0-9._~-]{43,128}$/, 'must be 43 to 128 letters, digits, -, ., _ or ~'),
  state: z
    .string()
    .max(200)
    .optional()
    .describe('The `state` that `return_to` received. If it is sent, it must be that of the authorization.'),
});

export const FinishedConnection = z
  .object({ connected_account: ConnectedAccount })
  .meta({ id: 'DataIntegrationFinishConnectionResponse' });

import * as z from 'zod';

import { ConfigMap, ConnectionOwnerKind } from '../installation/schema.ts';

export const Authorize = z.object({
  user_id: z.string(),
  organization_id: z.string().optional(),
  connection_owner: ConnectionOwnerKind.default('user'),
  return_to: z.url().max(2_048).optional(),
  config: ConfigMap.optional(),
  /** Beyond the contract: makes a further connection, or authorizes the named one anew. */
  connection_intent: z.enum(['add', 'reauthorize']).optional(),
  connected_account_id: z.string().min(1).optional(),
});

export const AuthorizationUrl = z.object({ url: z.string() }).meta({ id: 'DataIntegrationAuthorizeUrlResponse' });

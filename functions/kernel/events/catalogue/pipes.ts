import * as z from 'zod';
import type { EventFamily } from './family.ts';
import { text, textOrNull, texts, timestamp } from './values.ts';

/** A connected account without its credentials. */
const ConnectedAccountRecord = z.object({
  object: z.literal('connected_account'),
  id: text,
  connection_role: z.enum(['compatibility', 'standard']).optional(),
  account_identifier: textOrNull.optional(),
  account_display_name: textOrNull.optional(),
  data_integration_id: text,
  provider_slug: text,
  user_id: textOrNull,
  organization_id: textOrNull,
  scopes: texts,
  auth_method: z.enum(['oauth', 'api_key', 'client_credentials']).optional(),
  api_key_last_4: textOrNull.optional(),
  state: z.enum(['connected', 'needs_reauthorization']),
  created_at: timestamp,
  updated_at: timestamp,
});

const FailedConnection = z.object({
  object: z.literal('connection_failed'),
  data_integration_id: text,
  provider_slug: text,
  user_id: textOrNull,
  organization_id: textOrNull,
  account_identifier: textOrNull.optional(),
  error_code: text,
  error_reason: textOrNull,
  provider_error: textOrNull,
  provider_error_description: textOrNull,
  created_at: timestamp,
});

/** Events of accounts at other services. Both families of names are published; their payloads are the same. */
export const pipesEvents = {
  'pipes.account_connection.add_failed': { data: FailedConnection, subscribable: true },
  'pipes.account_connection.connected': { data: ConnectedAccountRecord, subscribable: true },
  'pipes.account_connection.connection_failed': { data: FailedConnection, subscribable: true },
  'pipes.account_connection.disconnected': { data: ConnectedAccountRecord, subscribable: true },
  'pipes.account_connection.reauthorization_needed': { data: ConnectedAccountRecord, subscribable: true },
  'pipes.connected_account.connected': { data: ConnectedAccountRecord, subscribable: true },
  'pipes.connected_account.connection_failed': { data: FailedConnection, subscribable: true },
  'pipes.connected_account.disconnected': { data: ConnectedAccountRecord, subscribable: true },
  'pipes.connected_account.reauthorization_needed': { data: ConnectedAccountRecord, subscribable: true },
} as const satisfies EventFamily<'pipes.'>;

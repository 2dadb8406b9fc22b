import * as z from 'zod';
import type { EventFamily } from './family.ts';
import { text, texts, timestamp, timestampOrNull } from './values.ts';

/** The owner of a key: an organization, or a user within one organization. */
const ApiKeyOwner = z.discriminatedUnion('type', [
  z.object({ type: z.literal('organization'), id: text }),
  z.object({ type: z.literal('user'), id: text, organization_id: text }),
]);

/** An API key without its value. */
export const ApiKeyRecord = z.object({
  object: z.literal('api_key'),
  id: text,
  owner: ApiKeyOwner,
  name: text,
  obfuscated_value: text,
  last_used_at: timestampOrNull,
  expires_at: timestampOrNull,
  permissions: texts,
  created_at: timestamp,
  updated_at: timestamp,
});

/** The customers' own API keys. */
export const apiKeyEvents = {
  'api_key.created': { data: ApiKeyRecord, subscribable: true },
  'api_key.revoked': { data: ApiKeyRecord, subscribable: true },
  'api_key.updated': {
    data: ApiKeyRecord.extend({ previous_attributes: z.object({ expires_at: timestampOrNull }) }),
    subscribable: true,
  },
} as const satisfies EventFamily<'api_key.'>;

import * as z from 'zod';
import type { EventFamily } from './family.ts';
import { text, textMap, texts } from './values.ts';

const KeyProvider = z.enum(['AWS_KMS', 'GCP_KMS', 'AZURE_KEY_VAULT']);

/** The actor of a vault event. */
const actor = { actor_id: text, actor_source: z.enum(['api', 'dashboard']), actor_name: text };

const NamedObject = z.object({ ...actor, kv_name: text });

const ReadObject = z.object({ ...actor, kv_name: text, key_id: text });

const WrittenObject = z.object({ ...actor, kv_name: text, key_id: text, key_context: textMap });

const WrappingKey = z.object({ ...actor, key_name: text, key_id: text });

const CustomerKey = z.object({ organization_id: text, key_provider: KeyProvider });

/** Events of every use of the vault. They only contain names and ids of keys, never values or keys. */
export const vaultEvents = {
  'vault.byok_key.deleted': { data: CustomerKey, subscribable: false },
  'vault.byok_key.verification_completed': {
    data: CustomerKey.extend({ verified: z.boolean() }),
    subscribable: false,
  },
  'vault.data.created': { data: WrittenObject, subscribable: false },
  'vault.data.deleted': { data: NamedObject, subscribable: false },
  'vault.data.read': { data: ReadObject, subscribable: false },
  'vault.data.updated': { data: WrittenObject, subscribable: false },
  'vault.dek.decrypted': { data: z.object({ ...actor, key_id: text }), subscribable: false },
  'vault.dek.read': { data: z.object({ ...actor, key_ids: texts, key_context: textMap }), subscribable: false },
  'vault.kek.created': { data: WrappingKey, subscribable: false },
  'vault.kek.deleted': { data: WrappingKey, subscribable: false },
  'vault.metadata.read': { data: NamedObject, subscribable: false },
  'vault.names.listed': { data: z.object(actor), subscribable: false },
} as const satisfies EventFamily<'vault.'>;

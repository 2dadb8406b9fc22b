import { envelopes } from '../../../kernel/keys/shared.ts';
import type { IntegrationRecord } from './entity.ts';
import { keyPurpose } from '../../../kernel/keys/key-wrapper.ts';

type Sealable = Pick<IntegrationRecord, 'environmentId' | 'id'>;

const makeScope = ({ environmentId }: Sealable) => ({ environmentId, purpose: keyPurpose('data-integration') });

/** Encrypts an integration's OAuth client secret, bound to its id. */
export const sealClientSecret = (record: Sealable, secret: string): Promise<Uint8Array> =>
  envelopes().seal(makeScope(record), record.id, secret);

/** Decrypts an integration's OAuth client secret; undefined if it has none. */
export async function openClientSecret(record: IntegrationRecord): Promise<string | undefined> {
  if (record.sealedClientSecret === undefined) return undefined;
  return envelopes().openText(makeScope(record), record.id, record.sealedClientSecret as Uint8Array);
}

/** Encrypts config values, bound to an integration's id; undefined if there are none. */
export async function sealConfig(record: Sealable, values: Record<string, string>): Promise<Uint8Array | undefined> {
  if (Object.keys(values).length === 0) return undefined;
  return envelopes().seal(makeScope(record), `${record.id}#config`, JSON.stringify(values));
}

/** Decrypts an integration's secret config values. */
export async function openConfig(record: IntegrationRecord): Promise<Record<string, string>> {
  if (record.sealedConfig === undefined) return {};
  const text = await envelopes().openText(makeScope(record), `${record.id}#config`, record.sealedConfig as Uint8Array);
  return JSON.parse(text) as Record<string, string>;
}

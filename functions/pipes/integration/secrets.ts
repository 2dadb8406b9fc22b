import { envelopes } from '../../kernel/keys/shared.ts';
import type { IntegrationRecord } from './entity.ts';

type Sealable = Pick<IntegrationRecord, 'environmentId' | 'id'>;

const scopeOf = ({ environmentId }: Sealable) => ({ environmentId, purpose: 'data-integration' });

/** Seals an integration's OAuth client secret to its id. */
export const sealClientSecret = (record: Sealable, secret: string): Promise<Uint8Array> =>
  envelopes().seal(scopeOf(record), record.id, secret);

/** An integration's OAuth client secret in clear; undefined for one without. */
export async function openClientSecret(record: IntegrationRecord): Promise<string | undefined> {
  if (record.sealedClientSecret === undefined) return undefined;
  return envelopes().openText(scopeOf(record), record.id, record.sealedClientSecret as Uint8Array);
}

/** Seals config values to an integration's id; undefined for none. */
export async function sealConfig(record: Sealable, values: Record<string, string>): Promise<Uint8Array | undefined> {
  if (Object.keys(values).length === 0) return undefined;
  return envelopes().seal(scopeOf(record), `${record.id}#config`, JSON.stringify(values));
}

/** An integration's secret config values in clear. */
export async function openConfig(record: IntegrationRecord): Promise<Record<string, string>> {
  if (record.sealedConfig === undefined) return {};
  const text = await envelopes().openText(scopeOf(record), `${record.id}#config`, record.sealedConfig as Uint8Array);
  return JSON.parse(text) as Record<string, string>;
}

import { envelopes } from '../../kernel/keys/shared.ts';
import type { ConfigurationRecord } from './entity.ts';

/** What an organization's settings keep sealed. */
export interface ConfigurationSecrets {
  clientSecret?: string | undefined;
  config?: Record<string, string>;
}

interface SealingIdentity {
  environmentId: string;
  organizationId: string;
  id: string;
}

const scopeOf = ({ environmentId, organizationId }: SealingIdentity) => ({
  environmentId,
  organizationId,
  purpose: 'data-integration-configuration',
});

/** Seals an organization's secrets to it and the record. */
export const sealConfiguration = (record: SealingIdentity, secrets: ConfigurationSecrets): Promise<Uint8Array> =>
  envelopes().seal(scopeOf(record), record.id, JSON.stringify(secrets));

/** An organization's secrets in clear. */
export const openConfiguration = async (record: ConfigurationRecord): Promise<ConfigurationSecrets> =>
  JSON.parse(
    await envelopes().openText(scopeOf(record), record.id, record.sealed as Uint8Array),
  ) as ConfigurationSecrets;

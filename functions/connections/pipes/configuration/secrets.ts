import { envelopes } from '../../../kernel/keys/shared.ts';
import type { ConfigurationRecord } from './entity.ts';
import { keyPurpose } from '../../../kernel/keys/key-wrapper.ts';

/** The encrypted part of an organization's settings. */
export interface ConfigurationSecrets {
  clientSecret?: string | undefined;
  config?: Record<string, string>;
}

interface SealingIdentity {
  environmentId: string;
  organizationId: string;
  id: string;
}

const makeScope = ({ environmentId, organizationId }: SealingIdentity) => ({
  environmentId,
  organizationId,
  purpose: keyPurpose('data-integration-configuration'),
});

/** Encrypts an organization's secrets, bound to it and the record. */
export const sealConfiguration = (record: SealingIdentity, secrets: ConfigurationSecrets): Promise<Uint8Array> =>
  envelopes().seal(makeScope(record), record.id, JSON.stringify(secrets));

/** Decrypts an organization's secrets. */
export const openConfiguration = async (record: ConfigurationRecord): Promise<ConfigurationSecrets> =>
  JSON.parse(
    await envelopes().openText(makeScope(record), record.id, record.sealed as Uint8Array),
  ) as ConfigurationSecrets;

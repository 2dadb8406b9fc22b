import { envelopes } from '../../kernel/keys/shared.ts';
import type { InstallationRecord } from './entity.ts';

/** The encrypted part of a connection. */
export interface InstallationSecrets {
  apiKey?: string;
  clientSecret?: string;
  accessToken?: string;
  refreshToken?: string;
  /** Config values of fields that the provider declares secret. */
  config?: Record<string, string>;
  /** Members that the token endpoint returned in addition to the token. */
  metadata?: Record<string, unknown>;
}

/** The record that a connection's secrets are bound to. */
export interface SealingIdentity {
  environmentId: string;
  id: string;
  organizationId?: string | undefined;
}

const scopeOf = ({ environmentId, organizationId }: SealingIdentity) => ({
  environmentId,
  ...(organizationId === undefined ? {} : { organizationId }),
  purpose: 'connected-account',
});

/** Encrypts a connection's secrets, bound to its organization, if it has one, and its id. */
export const sealSecrets = (record: SealingIdentity, secrets: InstallationSecrets): Promise<Uint8Array> =>
  envelopes().seal(scopeOf(record), record.id, JSON.stringify(secrets));

/** Decrypts a connection's secrets. */
export const openSecrets = async (record: InstallationRecord): Promise<InstallationSecrets> =>
  JSON.parse(
    await envelopes().openText(scopeOf(record), record.id, record.sealed as Uint8Array),
  ) as InstallationSecrets;

import { envelopes } from '../../kernel/keys/shared.ts';
import type { InstallationRecord } from './entity.ts';

/** What a connection keeps sealed. */
export interface InstallationSecrets {
  apiKey?: string;
  clientSecret?: string;
  accessToken?: string;
  refreshToken?: string;
  /** Config values of fields that the provider declares secret. */
  config?: Record<string, string>;
  /** What the token endpoint told beside the token. */
  metadata?: Record<string, unknown>;
}

/** What a connection's secrets are sealed to. */
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

/** Seals a connection's secrets to its organization, if it has one, and its id. */
export const sealSecrets = (record: SealingIdentity, secrets: InstallationSecrets): Promise<Uint8Array> =>
  envelopes().seal(scopeOf(record), record.id, JSON.stringify(secrets));

/** A connection's secrets in clear. */
export const openSecrets = async (record: InstallationRecord): Promise<InstallationSecrets> =>
  JSON.parse(
    await envelopes().openText(scopeOf(record), record.id, record.sealed as Uint8Array),
  ) as InstallationSecrets;

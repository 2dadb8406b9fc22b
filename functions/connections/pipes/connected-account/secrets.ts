import { envelopes } from '../../../kernel/keys/shared.ts';
import type { AccountRecord } from './entity.ts';
import { keyPurpose } from '../../../kernel/keys/key-wrapper.ts';

/** The encrypted part of a connected account. */
export interface AccountSecrets {
  apiKey?: string;
  clientSecret?: string;
  accessToken?: string;
  refreshToken?: string;
  /** Config values of fields that the provider declares secret. */
  config?: Record<string, string>;
  /** Members that the token endpoint returned in addition to the token. */
  metadata?: Record<string, unknown>;
}

/** The record to which a connected account's secrets are bound. */
export interface SealingIdentity {
  environmentId: string;
  id: string;
  organizationId?: string | undefined;
}

const makeScope = ({ environmentId, organizationId }: SealingIdentity) => ({
  environmentId,
  ...(organizationId === undefined ? {} : { organizationId }),
  purpose: keyPurpose('connected-account'),
});

/** Encrypts a connected account's secrets, bound to its organization (if it has one) and its id. */
export const sealSecrets = (record: SealingIdentity, secrets: AccountSecrets): Promise<Uint8Array> =>
  envelopes().seal(makeScope(record), record.id, JSON.stringify(secrets));

/** Decrypts a connected account's secrets. */
export const openSecrets = async (record: AccountRecord): Promise<AccountSecrets> =>
  JSON.parse(await envelopes().openText(makeScope(record), record.id, record.sealed as Uint8Array)) as AccountSecrets;

import { envelopes } from '../../../kernel/keys/shared.ts';
import type { SocialProviderRecord } from './entity.ts';
import { keyPurpose } from '../../../kernel/keys/key-wrapper.ts';

/** The encrypted part of a configured provider. */
export interface ProviderSecrets {
  clientSecret?: string | undefined;
  /** The key that signs Apple's client secrets, as PKCS #8 in PEM. */
  applePrivateKey?: string | undefined;
}

const makeScope = (environmentId: string) => ({ environmentId, purpose: keyPurpose('social-provider') });

/** Encrypts a provider's secrets, bound to its environment and name. */
export const sealProvider = (environmentId: string, provider: string, secrets: ProviderSecrets): Promise<Uint8Array> =>
  envelopes().seal(makeScope(environmentId), provider, JSON.stringify(secrets));

/** Decrypts a provider's secrets. */
export const openProvider = async ({ environmentId, id, sealed }: SocialProviderRecord): Promise<ProviderSecrets> =>
  JSON.parse(await envelopes().openText(makeScope(environmentId), id, sealed as Uint8Array)) as ProviderSecrets;

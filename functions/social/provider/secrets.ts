import { envelopes } from '../../kernel/keys/shared.ts';
import type { SocialProviderRecord } from './entity.ts';

/** What a configured provider keeps sealed. */
export interface ProviderSecrets {
  clientSecret?: string | undefined;
  /** PKCS #8 in PEM: what Apple's client secrets are signed with. */
  applePrivateKey?: string | undefined;
}

const scopeOf = (environmentId: string) => ({ environmentId, purpose: 'social-provider' });

/** Seals a provider's secrets to its environment and name. */
export const sealProvider = (environmentId: string, provider: string, secrets: ProviderSecrets): Promise<Uint8Array> =>
  envelopes().seal(scopeOf(environmentId), provider, JSON.stringify(secrets));

/** A provider's secrets in clear. */
export const openProvider = async ({ environmentId, id, sealed }: SocialProviderRecord): Promise<ProviderSecrets> =>
  JSON.parse(await envelopes().openText(scopeOf(environmentId), id, sealed as Uint8Array)) as ProviderSecrets;

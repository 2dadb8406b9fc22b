import type { IDENTITY_PROVIDERS } from '../../../proofs/modules/credentials/public.ts';
import { catalogue, type Endpoints, type ProviderFacts } from './facts.ts';

/** A provider for sign-in, in the contract's spelling. */
export type SocialProvider = Exclude<(typeof IDENTITY_PROVIDERS)[number], 'VercelMarketplaceOAuth'>;

/** The facts of a provider; undefined for a name that is not in the catalogue. */
export const findFacts = (provider: string): ProviderFacts | undefined =>
  Object.hasOwn(catalogue, provider) ? catalogue[provider as SocialProvider] : undefined;

/** The members of a configuration that locate its provider. */
export interface Location {
  issuer?: string | undefined;
  tenant?: string | undefined;
  /** The endpoints that differ from the provider's own. */
  endpoints?: Partial<Endpoints> | undefined;
}

/** The default tenant at Microsoft: work, school and private accounts. */
const DEFAULT_TENANT = 'common';

/** The issuer of a provider: the configured one, or the provider's own. */
export const issuerOf = (facts: ProviderFacts, { issuer, tenant }: Location): string =>
  issuer ?? facts.issuer.replace('{tenant}', tenant ?? DEFAULT_TENANT);

/**
 * The endpoints that are known without discovery: those of the configuration override those of the catalogue. With
 * OpenID Connect, the others are discovered.
 */
export function knownEndpoints(facts: ProviderFacts, location: Location): Partial<Endpoints> {
  const issuer = issuerOf(facts, location);
  const isElsewhere = location.issuer !== undefined && location.issuer !== facts.issuer;
  const own = isElsewhere ? facts.selfHosted : facts.endpoints;
  const filled = Object.entries(own ?? {}).map(([name, url]) => [name, String(url).replace('{issuer}', issuer)]);
  const given = Object.entries(location.endpoints ?? {}).filter(([, url]) => url !== undefined);
  return {
    ...(Object.fromEntries(filled) as Partial<Endpoints>),
    ...(Object.fromEntries(given) as Partial<Endpoints>),
  };
}

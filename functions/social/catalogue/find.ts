import type { IdentityProvider } from '../../credentials/public.ts';
import { catalogue, type Endpoints, type ProviderFacts } from './facts.ts';

/** A provider by which people can sign in, in the contract's spelling. */
export type SocialProvider = Exclude<IdentityProvider, 'VercelMarketplaceOAuth'>;

/** The facts of a provider; undefined for a name that is none of the catalogue. */
export const factsOf = (provider: string): ProviderFacts | undefined =>
  Object.hasOwn(catalogue, provider) ? catalogue[provider as SocialProvider] : undefined;

/** What a configuration says of where its provider is. */
export interface Location {
  issuer?: string | undefined;
  tenant?: string | undefined;
  /** Those that differ from what the provider's own are. */
  endpoints?: Partial<Endpoints> | undefined;
}

/** The tenants of Microsoft by default: work, school and private accounts alike. */
export const DEFAULT_TENANT = 'common';

/** A provider's issuer, as configured or its own. */
export const issuerOf = (facts: ProviderFacts, { issuer, tenant }: Location): string =>
  issuer ?? facts.issuer.replace('{tenant}', tenant ?? DEFAULT_TENANT);

/**
 * The endpoints that are known without asking the provider: those of the catalogue, below those of the configuration.
 * With OpenID Connect, what is missing is discovered.
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

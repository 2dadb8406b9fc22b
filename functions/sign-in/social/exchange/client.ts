import type { ProviderFacts } from '../catalogue/facts.ts';
import { issuerOf, knownEndpoints, type Location } from '../catalogue/find.ts';
import { sha256Hex } from '../../../kernel/keys/hash.ts';

/** An environment's client at a provider, with all data that a sign-in needs. */
export interface ProviderClient {
  facts: ProviderFacts;
  location: Location;
  clientId: string;
  clientSecret?: string | undefined;
  apple?: { teamId: string; keyId: string; privateKey: string } | undefined;
  redirectUri: string;
}

/**
 * The client with which a sign-in started. A response is accepted only if it is unchanged, so that a code is never sent to
 * another provider than the one to which the browser was redirected.
 */
export const readTarget = ({ facts, location, clientId, redirectUri }: ProviderClient): string =>
  sha256Hex(JSON.stringify([issuerOf(facts, location), knownEndpoints(facts, location), clientId, redirectUri]));

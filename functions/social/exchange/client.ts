import type { ProviderFacts } from '../catalogue/facts.ts';
import { issuerOf, knownEndpoints, type Location } from '../catalogue/find.ts';
import { sha256Hex } from '../../kernel/keys/hash.ts';

/** A client at a provider, with everything that a sign-in needs of both. */
export interface ProviderClient {
  facts: ProviderFacts;
  location: Location;
  clientId: string;
  clientSecret?: string | undefined;
  apple?: { teamId: string; keyId: string; privateKey: string } | undefined;
  redirectUri: string;
}

/**
 * The client of a started sign-in: a response is accepted only if it is unchanged, so that a code is never sent to
 * another address than that of the provider that the browser was redirected to.
 */
export const readTarget = ({ facts, location, clientId, redirectUri }: ProviderClient): string =>
  sha256Hex(JSON.stringify([issuerOf(facts, location), knownEndpoints(facts, location), clientId, redirectUri]));

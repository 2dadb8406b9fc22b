import type { ProviderFacts } from '../catalogue/facts.ts';
import { issuerOf, knownEndpoints, type Location } from '../catalogue/find.ts';
import { sha256Hex } from '../../kernel/keys/hash.ts';

/** A client at a provider, with all that a sign-in needs to know of both. */
export interface ProviderClient {
  facts: ProviderFacts;
  location: Location;
  clientId: string;
  clientSecret?: string | undefined;
  apple?: { teamId: string; keyId: string; privateKey: string } | undefined;
  redirectUri: string;
}

/**
 * What a sign-in was begun with: an answer is taken only while it is still so, and never shown to another address than the
 * one that the person was sent to.
 */
export const targetOf = ({ facts, location, clientId, redirectUri }: ProviderClient): string =>
  sha256Hex(JSON.stringify([issuerOf(facts, location), knownEndpoints(facts, location), clientId, redirectUri]));

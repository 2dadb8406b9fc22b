import { makeClientId } from '../authentication/api-key.ts';
import { findEnvironment } from '../authentication/environment.ts';
import { settings } from '../settings.ts';
import type { EnvironmentRecord } from '../storage/environment.ts';

/** A JSON object of claims (RFC 7519 section 4). */
export type Claims = Readonly<Record<string, unknown>>;

/** The `iss` of an environment's tokens: the configured issuer, otherwise a URL below the service's own. */
export const issuerOf = ({ id, issuer }: EnvironmentRecord): string =>
  issuer ?? `${settings().GATEHOUSE_BASE_URL}/user_management/${makeClientId(id)}`;

/**
 * The claims of every token that is issued for an environment itself: its issuer, and its client id as audience and client.
 * It reads nothing while the environment is cached.
 */
export async function issuerClaims(environmentId: string): Promise<{ iss: string; aud: string; client_id: string }> {
  const environment = await findEnvironment(environmentId);
  if (environment === undefined) throw new Error('The environment of the token is gone');
  const clientId = makeClientId(environmentId);
  return { iss: issuerOf(environment), aud: clientId, client_id: clientId };
}

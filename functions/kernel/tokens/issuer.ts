import { clientIdOf } from '../authentication/api-key.ts';
import { settings } from '../settings.ts';
import type { EnvironmentRecord } from '../storage/environment.ts';

/** A JSON object of claims (RFC 7519 section 4). */
export type Claims = Readonly<Record<string, unknown>>;

/** `iss` of an environment's tokens: the configured issuer, else an address below the service's own. */
export const issuerOf = ({ id, issuer }: EnvironmentRecord): string =>
  issuer ?? `${settings().GATEHOUSE_BASE_URL}/user_management/${clientIdOf(id)}`;

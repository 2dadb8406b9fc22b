import { clientIdOf } from '../../kernel/authentication/api-key.ts';
import { settings } from '../../kernel/settings.ts';

/**
 * Where a provider sends people back to: an address for each provider of each environment, so that an answer to one cannot
 * be passed off as an answer to another (mix-up, RFC 9700 section 4.4).
 */
export const redirectUriFor = (environmentId: string, provider: string): string =>
  `${settings().GATEHOUSE_BASE_URL}/x/social/callback/${provider}/${clientIdOf(environmentId)}`;

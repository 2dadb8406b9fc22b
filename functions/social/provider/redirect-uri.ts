import { clientIdOf } from '../../kernel/authentication/api-key.ts';
import { settings } from '../../kernel/settings.ts';

/**
 * The redirect URI: one for each provider of each environment, so that a response of one provider is not accepted as
 * another's (mix-up, RFC 9700 section 4.4).
 */
export const redirectUriFor = (environmentId: string, provider: string): string =>
  `${settings().GATEHOUSE_BASE_URL}/x/social/callback/${provider}/${clientIdOf(environmentId)}`;

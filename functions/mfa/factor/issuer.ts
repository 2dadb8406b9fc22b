import { messageSettingsOf } from '../../kernel/messages/brand.ts';
import type { EnvironmentRecord } from '../../kernel/storage/environment.ts';
import { cutText } from '../../kernel/text.ts';

/** What an app shows as the issuer where the caller does not say: the environment's brand, without what an issuer may not hold. */
export function defaultIssuer(environment: EnvironmentRecord | undefined): string {
  const name = environment === undefined ? '' : messageSettingsOf(environment).brand.name;
  const issuer = name.replace(/[:\p{C}]+/gu, ' ').trim();
  return cutText(issuer, 0, 32) || 'Gatehouse';
}

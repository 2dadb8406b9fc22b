import { readMessageSettings } from '../../../kernel/messages/brand.ts';
import type { EnvironmentRecord } from '../../../kernel/storage/environment.ts';
import { cutText } from '../../../kernel/text.ts';

/**
 * The issuer that an app displays if the caller names none: the environment's brand, without characters that an issuer
 * may not contain.
 */
export function defaultIssuer(environment: EnvironmentRecord | undefined): string {
  const name = environment === undefined ? '' : readMessageSettings(environment).brand.name;
  const issuer = name.replace(/[:\p{C}]+/gu, ' ').trim();
  return cutText(issuer, 0, 32) || 'Gatehouse';
}

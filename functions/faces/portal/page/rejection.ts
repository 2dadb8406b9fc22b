import { ApiRejection } from '../session/api.ts';
import type { Visit } from '../session/visit.ts';
import type { PortalWord } from '../words/en.ts';

/** Codes of rejected API calls for which the portal has its own message in every language. */
const TEXTS: Readonly<Record<string, PortalWord>> = {
  domain_already_exists: 'domains.taken',
  domain_already_verified: 'domains.taken',
  invalid_certificate: 'metadata.bad_certificate',
  certificate_expired: 'metadata.expired_certificate',
  cannot_delete_last_certificate: 'metadata.last_certificate',
  connection_could_not_be_verified: 'oidc.unreadable',
  discovery_endpoint_must_use_https: 'oidc.unreadable',
  invalid_request_parameters: 'form.invalid',
};

/**
 * The message for an API call that was rejected because of the entered values; undefined for any other error. If the portal
 * has no message of its own, that of the API is shown in English.
 */
export function explainRejection({ translate }: Pick<Visit, 'translate'>, error: unknown): string | undefined {
  if (!(error instanceof ApiRejection) || [401, 403, 404].includes(error.status)) return undefined;
  const known = TEXTS[error.code];
  if (known === 'form.invalid') return translate(known, { message: detail(error.message) });
  return known === undefined ? translate('form.rejected', { message: error.message }) : translate(known);
}

/** The part of an API message that names the invalid members. */
const detail = (message: string): string => message.replace(/^The request has invalid parameters\. /, '');

import { ApiRejection } from '../session/api.ts';
import type { Visit } from '../session/visit.ts';
import type { PortalWord } from '../words/en.ts';

/** Rejections of the API that have a text of their own in every language. */
const TEXTS: Readonly<Record<string, PortalWord>> = {
  domain_already_exists: 'domains.taken',
  domain_already_verified: 'domains.taken',
  invalid_certificate: 'metadata.bad_certificate',
  certificate_expired: 'metadata.expired_certificate',
  cannot_delete_last_certificate: 'metadata.last_certificate',
  invalid_request_parameters: 'form.invalid',
};

/**
 * The text about a call that the API rejected because of what the person entered; undefined for any other error. What the API
 * says in English is added where there is no own text.
 */
export function explainRejection({ translate }: Pick<Visit, 'translate'>, error: unknown): string | undefined {
  if (!(error instanceof ApiRejection) || [401, 403, 404].includes(error.status)) return undefined;
  const known = TEXTS[error.code];
  if (known === 'form.invalid') return translate(known, { message: detail(error.message) });
  return known === undefined ? translate('form.rejected', { message: error.message }) : translate(known);
}

/** The part of a message about invalid input that names the members. */
const detail = (message: string): string => message.replace(/^The request has invalid parameters\. /, '');

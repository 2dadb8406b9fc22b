import * as z from 'zod';

import { anyCaller } from '../../../kernel/authentication/caller.ts';
import { Failure } from '../../../kernel/errors.ts';
import { isOwnPage } from '../../../kernel/http/browser.ts';
import type { IncomingRequest } from '../../../kernel/http/incoming-request.ts';
import { canonicalLocale } from '../../../kernel/locale.ts';
import { operation } from '../../../kernel/operation.ts';
import { LANGUAGE_PATH, languageCookie } from '../../../kernel/pages/language-choice.ts';
import { settings } from '../../../kernel/settings.ts';
import { foreignForm, pageErrorForm } from '../flow/errors.ts';

/**
 * The path of the page from which a form was sent. Its own address is in the header `Referer`, which the policy of the pages
 * sends to the service itself only. Any other page leads to the beginning.
 */
function readReturnPath({ headers: { referer = '' } }: IncomingRequest): string {
  if (!URL.canParse(referer)) return '/';
  const { origin, pathname, search } = new URL(referer);
  const isOwn = origin === new URL(settings().GATEHOUSE_BASE_URL).origin;
  // A path that begins with two slashes would name another host.
  return isOwn && !pathname.startsWith('//') ? `${pathname}${search}` : '/';
}

const chooseLanguage = operation({
  id: 'pages.choose_language',
  method: 'POST',
  path: LANGUAGE_PATH,
  summary: 'Choose the language of the pages in this browser',
  description: 'The form of the language menu. The browser returns to the page from which it was sent.',
  auth: anyCaller,
  beyondContract: true,
  body: z.object({ language: z.string().max(35).describe('A language tag (BCP 47).') }),
  form: true,
  responses: { 302: null },
  errors: [foreignForm],
  errorForm: pageErrorForm,
  emits: [],
  idempotency: 'none',
  async handle({ request, body }) {
    if (!isOwnPage(request)) throw new Failure(foreignForm);
    const tag = canonicalLocale(body.language);
    const cookies = tag === undefined ? [] : [languageCookie(tag)];
    return { status: 302, headers: { location: readReturnPath(request) }, cookies };
  },
});

export const languageOperations = [chooseLanguage] as const;

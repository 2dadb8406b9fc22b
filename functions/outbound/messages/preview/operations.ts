import * as z from 'zod';

import { apiKey } from '../../../kernel/authentication/api-key.ts';
import { findEnvironment } from '../../../kernel/authentication/environment.ts';
import { notFound } from '../../../kernel/errors.ts';
import { operation } from '../../../kernel/operation.ts';
import { previewQuery, previewResponse } from '../../../kernel/pages/preview.ts';

const mailNotFound = {
  ...notFound('mail'),
  message: 'There is no mail with this name. `names` of a response without `name` lists all of them.',
};

/** The document of a mail in one colour scheme, whatever that of its reader is. */
const inScheme = (source: string, scheme: 'light' | 'dark'): string =>
  source.replaceAll('@media (prefers-color-scheme:dark)', scheme === 'dark' ? '@media all' : '@media not all');

const previewMail = operation({
  id: 'messages.preview',
  method: 'GET',
  path: '/x/messages/preview',
  summary: 'Preview a mail in the brand of the environment',
  description:
    'The mail has the brand and texts of the environment, and sample values of a person who does not exist. No mail is sent.',
  auth: apiKey,
  operator: 'config.read',
  query: z.object({
    name: z
      .string()
      .min(1)
      .max(64)
      .default('magic-auth')
      .describe('The name of the mail. `names` of the response lists all names.'),
    ...previewQuery,
  }),
  responses: { 200: previewResponse('MailPreview') },
  errors: [mailNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, query: { name, locale, scheme }, fail }) {
    const { listMails, mailTitle, renderSampleMail } = await import('./apart.ts');
    const environment = await findEnvironment(environmentId);
    const rendered = environment && (await renderSampleMail(name, environment, locale));
    if (rendered === undefined) throw fail(mailNotFound);
    const names = listMails().map((each) => ({ name: each, title: mailTitle(each) }));
    return {
      status: 200,
      body: { object: 'preview' as const, name, title: mailTitle(name), html: inScheme(rendered, scheme), names },
    };
  },
});

export const mailPreviewOperations = [previewMail] as const;

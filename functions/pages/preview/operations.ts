import * as z from 'zod';

import { apiKey } from '../../kernel/authentication/api-key.ts';
import { notFound } from '../../kernel/errors.ts';
import { messagesWith400 } from '../../kernel/http/error-response.ts';
import { operation } from '../../kernel/operation.ts';
import { previewQuery, previewResponse } from '../../kernel/pages/preview.ts';
import { findSurroundings } from '../../kernel/pages/surroundings.ts';

const sampleNotFound = notFound('page');

const previewPage = operation({
  id: 'pages.preview',
  method: 'GET',
  path: '/x/pages/preview',
  summary: 'Preview a hosted page in the brand of the environment',
  description:
    'The page has the brand, texts and style rules of the environment, and sample values of a person who does not exist.',
  auth: apiKey,
  operator: 'config.read',
  errorForm: messagesWith400,
  query: z.object({ name: z.string().min(1).max(64).default('sign-in'), ...previewQuery }),
  responses: { 200: previewResponse('PagePreview') },
  errors: [sampleNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, query: { name, locale, scheme }, fail }) {
    const { listSamples, renderSample } = await import('./apart.ts');
    const surroundings = await findSurroundings(environmentId, { headers: {} }, locale);
    const settings = { ...surroundings.settings, appearance: scheme };
    const rendered = await renderSample(name, { ...surroundings, settings });
    const names = listSamples();
    const title = names.find((each) => each.name === name)?.title;
    if (rendered === undefined || title === undefined) throw fail(sampleNotFound);
    return { status: 200, body: { object: 'preview' as const, name, title, html: rendered, names } };
  },
});

export const previewOperations = [previewPage] as const;

import * as z from 'zod';

import { apiKey } from '../authentication/api-key.ts';
import { notFound } from '../errors.ts';
import { messagesWith400 } from '../http/error-response.ts';
import { LANGUAGES } from '../locale.ts';
import { operation } from '../operation.ts';
import type { Sample } from './sample.ts';
import { findSurroundings } from './surroundings.ts';

/** The query of a preview: the language and the colour scheme in which it is rendered. */
export const previewQuery = {
  locale: z.enum(LANGUAGES).default('en').describe('The language, one of those of the hosted pages.'),
  scheme: z.enum(['light', 'dark']).default('light').describe('The colour scheme.'),
};

/** The response of a preview. @param id The name of its schema */
export const previewResponse = (id: string) =>
  z
    .object({
      object: z.literal('preview'),
      name: z.string(),
      title: z.string(),
      html: z.string().describe('The document with sample values. It needs no script.'),
      names: z
        .array(z.object({ name: z.string(), title: z.string() }))
        .describe('Everything of which there is a preview.'),
    })
    .meta({ id });

/** A kind of pages of which there are previews. */
interface Previewed {
  /** The id of the operation, its path, and the name of the schema of its response. */
  id: string;
  path: string;
  schema: string;
  summary: string;
  description: string;
  /** The name of the page that is shown without a name. */
  first: string;
  /** Loads the pages with sample values, which a deployed function does with the first preview only (`lib/stack/apart.ts`). */
  load: () => Promise<readonly Sample[]>;
}

const sampleNotFound = {
  ...notFound('page'),
  message: 'There is no preview with this name. The response to a call without `name` lists all `names`.',
};

/** Declares the operation that responds with a page in the brand of the environment, with sample values. */
export const previewOperation = ({ id, path, schema, summary, description, first, load }: Previewed) =>
  operation({
    id,
    method: 'GET',
    path: path as '/x/pages/preview',
    summary,
    description,
    auth: apiKey,
    operator: 'config.read',
    errorForm: messagesWith400,
    query: z.object({ name: z.string().min(1).max(64).default(first), ...previewQuery }),
    responses: { 200: previewResponse(schema) },
    errors: [sampleNotFound],
    emits: [],
    idempotency: 'none',
    async handle({ environmentId, query: { name, locale, scheme }, fail }) {
      const samples = await load();
      const surroundings = await findSurroundings(environmentId, { headers: {} }, locale);
      const settings = { ...surroundings.settings, appearance: scheme };
      const sample = samples.find((each) => each.name === name);
      if (sample === undefined) throw fail(sampleNotFound);
      const { body: text } = await sample.render({ ...surroundings, settings }, environmentId);
      const names = samples.map((each) => ({ name: each.name, title: each.title }));
      return { status: 200, body: { object: 'preview' as const, name, title: sample.title, html: text, names } };
    },
  });

import * as z from 'zod';

import { LANGUAGES } from '../locale.ts';

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

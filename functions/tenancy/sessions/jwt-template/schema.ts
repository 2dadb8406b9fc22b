import * as z from 'zod';

import { timestamp } from '../../../kernel/values.ts';
import { MOST_CONTENT_BYTES } from './rules.ts';

const CONTROL = /[^\P{Cc}\t\n\r]/u;

/** A Liquid template of claims in the API. */
export const JwtTemplate = z
  .object({ object: z.literal('jwt_template'), content: z.string(), created_at: timestamp, updated_at: timestamp })
  .meta({ id: 'JwtTemplate' });

export const UpdateJwtTemplate = z
  .object({
    content: z
      .string()
      .refine((text) => Buffer.byteLength(text) <= MOST_CONTENT_BYTES, `has more than ${MOST_CONTENT_BYTES} bytes`)
      .refine((text) => !CONTROL.test(text), 'has control characters'),
  })
  .meta({ id: 'UpdateJwtTemplateDto' });

/**
 * The section with the environment's template. It is stored in the environment's settings, which every function caches
 * anyway, so that a token costs no further read.
 */
export const jwtTemplateSection = {
  name: 'jwt_template',
  schema: z.object({
    content: z.string().optional(),
    created_at: timestamp.optional(),
    updated_at: timestamp.optional(),
  }),
};

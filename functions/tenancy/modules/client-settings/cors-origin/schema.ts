import * as z from 'zod';

import { listSchema } from '../../../../kernel/pagination.ts';
import { timestamp } from '../../../../kernel/values.ts';
import type { CorsOriginRecord } from './entity.ts';

export const CreateCorsOrigin = z
  .object({ origin: z.string().meta({ example: 'https://app.example.com' }) })
  .meta({ id: 'CreateCorsOriginDto' });

export const CorsOrigin = z
  .object({
    object: z.literal('cors_origin'),
    id: z.string(),
    origin: z.string(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'CorsOriginResponse' });

export const CorsOriginList = listSchema(CorsOrigin).meta({ id: 'CorsOriginList' });

/** A stored origin as callers see it. */
export function presentCorsOrigin(record: CorsOriginRecord): z.input<typeof CorsOrigin> {
  const { id, origin, createdAt, updatedAt } = record;
  return { object: 'cors_origin', id, origin, created_at: createdAt, updated_at: updatedAt };
}

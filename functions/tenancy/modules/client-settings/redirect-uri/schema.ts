import * as z from 'zod';

import { listSchema } from '../../../../kernel/pagination.ts';
import { timestamp } from '../../../../kernel/values.ts';
import type { RedirectUriRecord } from './entity.ts';

export const CreateRedirectUri = z
  .object({ uri: z.string().meta({ example: 'https://app.example.com/callback' }) })
  .meta({ id: 'CreateRedirectUriDto' });

export const RedirectUri = z
  .object({
    object: z.literal('redirect_uri'),
    id: z.string(),
    uri: z.string(),
    default: z.boolean(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'RedirectUri' });

export const RedirectUriList = listSchema(RedirectUri).meta({ id: 'RedirectUriList' });

/** A stored redirect URI as callers see it. */
export function presentRedirectUri(record: RedirectUriRecord): z.input<typeof RedirectUri> {
  const { id, uri, isDefault, createdAt, updatedAt } = record;
  return { object: 'redirect_uri', id, uri, default: isDefault, created_at: createdAt, updated_at: updatedAt };
}

import * as z from 'zod';

import { listOf, pageMembers } from '../../kernel/pagination.ts';
import { timestamp } from '../../kernel/values.ts';

const Flag = z
  .object({
    object: z.literal('feature_flag'),
    id: z.string(),
    slug: z.string(),
    name: z.string(),
    description: z.string().nullable(),
    owner: z
      .object({ email: z.string(), first_name: z.string().nullable(), last_name: z.string().nullable() })
      .nullable(),
    tags: z.array(z.string()),
    enabled: z.boolean(),
    default_value: z.boolean(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'Flag' });

export const FlagList = listOf(Flag).meta({ id: 'FlagList' });

export const ListFlags = z.object(pageMembers('flag', 'desc'));

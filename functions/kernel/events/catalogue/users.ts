import * as z from 'zod';
import type { EventFamily } from './family.ts';
import { text, textMap, textOrNull, timestamp, timestampOrNull } from './values.ts';

/** The data of a user. */
export const User = z.object({
  object: z.literal('user'),
  id: text,
  first_name: textOrNull,
  last_name: textOrNull,
  name: textOrNull.optional(),
  profile_picture_url: textOrNull,
  email: text,
  email_verified: z.boolean(),
  external_id: textOrNull,
  metadata: textMap.optional(),
  last_sign_in_at: timestampOrNull,
  locale: textOrNull.optional(),
  created_at: timestamp,
  updated_at: timestamp,
});

/** Events of users. */
export const userEvents = {
  'user.created': { data: User, subscribable: true },
  'user.deleted': { data: User, subscribable: true },
  'user.updated': { data: User, subscribable: true },
} as const satisfies EventFamily<'user.'>;

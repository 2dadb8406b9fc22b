import * as z from 'zod';
import type { EventFamily } from './family.ts';
import { text, textMap, textOrNull, timestamp, timestampOrNull } from './values.ts';

/** A person on the waitlist. */
const WaitlistUser = z.object({
  object: z.literal('waitlist_user'),
  id: text,
  email: text,
  state: z.enum(['pending', 'approved', 'denied']),
  approved_at: timestampOrNull,
  additional_fields: textMap.optional(),
  waitlist_id: textOrNull.optional(),
  created_at: timestamp,
  updated_at: timestamp,
});

/** Entries of waitlists. */
export const waitlistUserEvents = {
  'waitlist_user.approved': { data: WaitlistUser, subscribable: true },
  'waitlist_user.created': { data: WaitlistUser, subscribable: true },
  'waitlist_user.denied': { data: WaitlistUser, subscribable: true },
} as const satisfies EventFamily<'waitlist_user.'>;

import * as z from 'zod';

import { normalizeEmail } from '../../../kernel/address.ts';
import { Event } from '../../../kernel/events/catalogue/index.ts';
import { eventNames } from '../../../kernel/events/catalogue/names.ts';
import type { EventRecord } from '../../../kernel/events/entity.ts';
import { isId } from '../../../kernel/id-format.ts';
import { commaSeparated, listSchema, pageMembers } from '../../../kernel/pagination.ts';
import { timestampInput } from '../../../kernel/values.ts';

const known = new Set<string>(eventNames);
const name = z.string().refine((text) => known.has(text), 'is not the name of an event');

export const ListEvents = z.object({
  events: commaSeparated(name)
    .refine((names) => names.length > 0, 'names no event')
    .describe('Names of events, separated by commas; at least one.'),
  range_start: timestampInput.optional().describe('The start of the range: selects events from this time on.'),
  range_end: timestampInput.optional().describe('The end of the range: selects events before this time.'),
  organization_id: z.string().min(1).max(128).optional(),
  // Clients that poll send no order and continue with `after`. The contract documents `normal`, but the hosted API returns
  // the oldest event first.
  ...pageMembers('event', 'asc'),
});

export const ListSubjectEvents = z.object({
  subject: z
    .string()
    .max(300)
    .refine(
      (text) => isId('user', text) || isId('org', text) || normalizeEmail(text) !== undefined,
      'is neither the id of a user or an organization nor an email address',
    )
    .describe('The id of a user or an organization, or an email address.'),
  events: commaSeparated(name)
    .refine((names) => names.length > 0, 'names no event')
    .optional()
    .describe('Selects events with these names, separated by commas.'),
  range_start: ListEvents.shape.range_start,
  range_end: ListEvents.shape.range_end,
  ...pageMembers('event', 'desc'),
});

export const EventList = listSchema(Event).meta({ id: 'EventList' });

/** An event as it is listed; its payload and context are kept as the JSON that is signed and delivered. */
export function presentEvent({ id, name, data, context, createdAt }: EventRecord): Event {
  return {
    object: 'event',
    id,
    event: name,
    data: JSON.parse(data) as unknown,
    created_at: createdAt,
    ...(context === undefined ? {} : { context: JSON.parse(context) as unknown }),
  } as Event;
}

import * as z from 'zod';

import { isId } from '../../../../kernel/id-format.ts';
import { timestamp, timestampInput } from '../../../../kernel/values.ts';
import type { PastState } from './rules.ts';

export const AtTime = z.object({ time: timestampInput.describe('The moment, within the retention of events.') });

export const MembershipAtTime = AtTime.extend({
  user_id: z
    .string()
    .refine((text) => isId('user', text), 'is not the id of a user')
    .optional()
    .describe('The user of the membership; needed only if it was deleted since.'),
});

export const PastRecord = z
  .object({
    object: z.literal('past_state'),
    id: z.string(),
    time: timestamp,
    existed: z.boolean().describe('False if the record was not created yet, or was deleted already.'),
    record: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe('The record as its events show it; null if it did not exist.'),
    unknown: z
      .array(z.string())
      .describe(
        'The fields whose values at that moment cannot be found from the events. They are left out of `record`.',
      ),
    event_id: z
      .string()
      .nullable()
      .describe(
        'The event from which the state is known: the last before the moment, otherwise the first after it; null if there is none.',
      ),
  })
  .meta({ id: 'PastState' });

/** The state of a record at a moment, as a response. */
export function presentPastState(
  id: string,
  time: string,
  { record, event, unknown }: PastState,
): z.output<typeof PastRecord> {
  const known = record && Object.fromEntries(Object.entries(record).filter(([name]) => !unknown.includes(name)));
  return {
    object: 'past_state',
    id,
    time: new Date(Date.parse(time)).toISOString(),
    existed: record !== undefined,
    record: known ?? null,
    unknown: [...unknown],
    event_id: event?.id ?? null,
  };
}

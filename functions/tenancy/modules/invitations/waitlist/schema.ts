import * as z from 'zod';

import { listSchema, pageMembers } from '../../../../kernel/pagination.ts';
import { emailInput, metadata, timestamp } from '../../../../kernel/values.ts';
import type { WaitlistEntryRecord, WaitlistRecord } from './entity.ts';

const state = z.enum(['pending', 'approved', 'denied']);

export const CreateWaitlistEntry = z
  .object({
    email: emailInput,
    additional_fields: metadata.optional().describe('Your own values by name, which the entry keeps.'),
    send_confirmation_email: z
      .boolean()
      .default(false)
      .describe('Whether the address gets a mail that it is on the waitlist.'),
  })
  .meta({ id: 'CreateWaitlistEntryDto' });

export const ListWaitlistEntries = z.object({
  ...pageMembers('wl_user', 'normal'),
  state: state.optional().describe('Only entries in this state.'),
  email: z.string().optional(),
});

export const Waitlist = z
  .object({ object: z.literal('waitlist'), id: z.string(), created_at: timestamp, updated_at: timestamp })
  .meta({ id: 'Waitlist' });
export const WaitlistList = listSchema(Waitlist).meta({ id: 'WaitlistList' });

export const WaitlistEntry = z
  .object({
    object: z.literal('waitlist_entry'),
    id: z.string(),
    email: z.string(),
    state,
    approved_at: timestamp.nullable(),
    additional_fields: z.record(z.string(), z.string()).optional(),
    waitlist_id: z.string().nullable().optional(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'WaitlistEntry' });
export const WaitlistEntryList = listSchema(WaitlistEntry).meta({ id: 'WaitlistEntryList' });

/** A stored waitlist as callers see it. */
export const presentWaitlist = ({ id, createdAt, updatedAt }: WaitlistRecord): z.input<typeof Waitlist> => ({
  object: 'waitlist',
  id,
  created_at: createdAt,
  updated_at: updatedAt,
});

const members = (record: WaitlistEntryRecord) => ({
  id: record.id,
  email: record.email,
  state: record.state,
  approved_at: record.approvedAt ?? null,
  additional_fields: record.additionalFields as Record<string, string>,
  waitlist_id: record.waitlistId,
  created_at: record.createdAt,
  updated_at: record.updatedAt,
});

/** A stored entry as callers see it. */
export const presentEntry = (record: WaitlistEntryRecord): z.input<typeof WaitlistEntry> => ({
  object: 'waitlist_entry',
  ...members(record),
});

/** The event data of a stored entry, in which the contract uses another name. */
export const entryPayload = (record: WaitlistEntryRecord) => ({
  object: 'waitlist_user' as const,
  ...members(record),
});

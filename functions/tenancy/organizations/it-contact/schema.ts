import * as z from 'zod';

import { listSchema } from '../../../kernel/pagination.ts';
import { emailInput, timestamp } from '../../../kernel/values.ts';
import type { ItContactRecord } from './entity.ts';

export const CreateItContact = z.object({ email: emailInput }).meta({ id: 'CreateItContactDto' });

export const ItContact = z
  .object({
    object: z.literal('it_contact'),
    id: z.string(),
    email: z.string().meta({ format: 'email' }),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'ItContact' });

export const ItContactList = listSchema(ItContact).meta({ id: 'ItContactList' });

export const INTENTS = ['sso', 'directory_sync', 'log_streams', 'domain_verification', 'bring_your_own_key'] as const;

export const InviteItContact = z
  .object({
    intents: z
      .array(z.enum(INTENTS))
      .min(1)
      .refine((intents) => new Set(intents).size === intents.length, 'names an intent twice')
      .meta({ uniqueItems: true }),
  })
  .meta({ id: 'InviteItContactDto' });

/** A stored contact as callers see it. */
export function presentItContact(record: ItContactRecord): z.input<typeof ItContact> {
  const { id, email, createdAt, updatedAt } = record;
  return { object: 'it_contact', id, email, created_at: createdAt, updated_at: updatedAt };
}

import * as z from 'zod';

import { listSchema, pageMembers } from '../../../../kernel/pagination.ts';
import { emailInput, timestamp, secret } from '../../../../kernel/values.ts';
import type { InvitationRecord } from './entity.ts';
import { mailLocale } from '../../../../kernel/mail-locale.ts';
import { DEFAULT_DAYS, computeState } from './rules.ts';

export const CreateInvitation = z
  .object({
    email: emailInput,
    organization_id: z
      .string()
      .optional()
      .describe('The organization. Without it, the invitation is only to the environment.'),
    role_slug: z
      .string()
      .optional()
      .describe('The role in the organization. Default: the organization’s default role.'),
    expires_in_days: z
      .int()
      .default(DEFAULT_DAYS)
      .meta({ example: 7, description: 'The number of days until the invitation expires, from 1 to 30.' }),
    inviter_user_id: z.string().optional().describe('The user who is named in the mail as the inviter.'),
    locale: mailLocale,
  })
  .meta({ id: 'CreateUserlandUserInviteOptionsDto' });

export const ResendInvitation = z.object({ locale: mailLocale }).meta({ id: 'ResendUserlandUserInviteOptionsDto' });

export const ListInvitations = z.object({
  ...pageMembers('invitation'),
  organization_id: z.string().optional(),
  email: emailInput.optional(),
});

const payload = {
  object: z.literal('invitation'),
  id: z.string(),
  email: z.string(),
  state: z.enum(['pending', 'accepted', 'expired', 'revoked']),
  accepted_at: timestamp.nullable(),
  revoked_at: timestamp.nullable(),
  expires_at: timestamp,
  organization_id: z.string().nullable(),
  inviter_user_id: z.string().nullable(),
  accepted_user_id: z.string().nullable(),
  role_slug: z.string().nullable(),
  created_at: timestamp,
  updated_at: timestamp,
};

export const Invitation = z
  .object({ ...payload, token: secret, accept_invitation_url: secret })
  .meta({ id: 'UserlandUserInvite' });
export const InvitationList = listSchema(Invitation).meta({ id: 'UserlandUserInviteList' });

/** An invitation as callers see it. */
export type WireInvitation = z.output<typeof Invitation>;

/** The event data of an invitation, without its token. @param now milliseconds since the epoch */
export function invitationPayload(
  record: InvitationRecord,
  now: number,
): Omit<WireInvitation, 'token' | 'accept_invitation_url'> {
  return {
    object: 'invitation',
    id: record.id,
    email: record.email,
    state: computeState(record, now),
    accepted_at: record.acceptedAt ?? null,
    revoked_at: record.revokedAt ?? null,
    expires_at: record.endsAt,
    organization_id: record.organizationId ?? null,
    inviter_user_id: record.inviterUserId ?? null,
    accepted_user_id: record.acceptedUserId ?? null,
    role_slug: record.roleSlug ?? null,
    created_at: record.createdAt,
    updated_at: record.updatedAt,
  };
}

import * as z from 'zod';
import type { EventFamily } from './family.ts';
import { text, textOrNull, timestamp, timestampOrNull } from './values.ts';

/** An invitation without its token. */
const InvitationRecord = z.object({
  object: z.literal('invitation'),
  id: text,
  email: text,
  state: z.enum(['pending', 'accepted', 'expired', 'revoked']),
  accepted_at: timestampOrNull,
  revoked_at: timestampOrNull,
  expires_at: timestamp,
  organization_id: textOrNull,
  inviter_user_id: textOrNull,
  accepted_user_id: textOrNull,
  role_slug: textOrNull,
  created_at: timestamp,
  updated_at: timestamp,
});

/** Invitations to an environment or an organization. */
export const invitationEvents = {
  'invitation.accepted': { data: InvitationRecord, subscribable: true },
  'invitation.created': { data: InvitationRecord, subscribable: true },
  'invitation.resent': { data: InvitationRecord, subscribable: true },
  'invitation.revoked': { data: InvitationRecord, subscribable: true },
} as const satisfies EventFamily<'invitation.'>;

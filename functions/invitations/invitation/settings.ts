import * as z from 'zod';

/** How an environment invites. */
export const InvitationSettings = z
  .object({
    accept_url: z
      .url({ protocol: /^https?$/ })
      .max(1_000)
      .nullable()
      .default(null)
      .describe(
        'A page of your own that accepts; `invitation_token` is added to its query. Else the hosted page opens.',
      ),
    blocked_organizations: z
      .array(z.string().max(64))
      .max(1_000)
      .default([])
      .describe('Organizations for which no invitations are sent, for example because of spam.'),
    undeliverable_domains: z
      .array(z.string().max(253).toLowerCase())
      .max(1_000)
      .default([])
      .describe('Domains of addresses that are not invited, such as those that bounce.'),
  })
  .meta({ id: 'XInvitationSettings' });

/** The section of an environment's settings. */
export const invitationSettings = { name: 'invitations', schema: InvitationSettings };

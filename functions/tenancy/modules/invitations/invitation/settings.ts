import * as z from 'zod';

/** An environment's settings for invitations. */
const InvitationSettings = z
  .object({
    accept_url: z
      .url({ protocol: /^https?$/ })
      .max(1_000)
      .nullable()
      .default(null)
      .describe('Your own page for invitations; `invitation_token` is added to its query. Default: the hosted page.'),
    blocked_organizations: z
      .array(z.string().max(64))
      .max(1_000)
      .default([])
      .describe('Organizations for which no invitations are sent, for example because of spam.'),
    undeliverable_domains: z
      .array(z.string().max(253).toLowerCase())
      .max(1_000)
      .default([])
      .describe('Domains whose addresses are not invited, for example because mails to them bounce.'),
  })
  .meta({ id: 'XInvitationSettings' });

/** The section of an environment's settings. */
export const invitationSettings = { name: 'invitations', schema: InvitationSettings };

import * as z from 'zod';

/**
 * How an environment invites.
 *
 * `accept_url`: a page of your own that accepts invitations; `invitation_token` is added to its query. Without it the link
 * opens the hosted page. `blocked_organizations`: organizations to which nobody may be invited, for example while one of them
 * is found to send spam. `undeliverable_domains`: domains of addresses that are not invited, such as those that bounce.
 */
export const InvitationSettings = z
  .object({
    accept_url: z
      .url({ protocol: /^https?$/ })
      .max(1_000)
      .nullable()
      .default(null),
    blocked_organizations: z.array(z.string().max(64)).max(1_000).default([]),
    undeliverable_domains: z.array(z.string().max(253).toLowerCase()).max(1_000).default([]),
  })
  .meta({ id: 'XInvitationSettings' });

/** The section of an environment's settings. */
export const invitationSettings = { name: 'invitations', schema: InvitationSettings };

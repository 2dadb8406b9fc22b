import * as z from 'zod';

/** The environment's settings for sessions that operators open as its users. */
export const ImpersonationSettings = z
  .object({
    enabled: z
      .boolean()
      .default(false)
      .describe('True if operators with `people.impersonate` may open a session as a user.'),
    in_production: z
      .boolean()
      .default(false)
      .describe(
        'Must be true as well in an environment that is marked as production, so that marking it never opens it.',
      ),
    notify_user: z
      .boolean()
      .default(false)
      .describe('True to send the user a mail when such a session begins, if the address is verified.'),
  })
  .meta({ id: 'ImpersonationSettings' });

/** The section of an environment's settings. */
export const impersonationSettings = { name: 'impersonations', schema: ImpersonationSettings };

import * as z from 'zod';

/** The environment's settings for sessions that operators open as its users. */
export const ImpersonationSettings = z
  .object({
    enabled: z
      .boolean()
      .default(false)
      .describe(
        'True if operators may open a session as a user. They need the permission `people.impersonate`, which the roles admin and owner of the console have.',
      ),
    in_production: z
      .boolean()
      .default(false)
      .describe(
        'Has to be true in addition to `enabled` if the environment is marked as production. So impersonation is off in an environment that is newly marked as production, until this is true.',
      ),
    notify_user: z
      .boolean()
      .default(false)
      .describe('True to send the user a mail when such a session begins, if the address is verified.'),
  })
  .meta({ id: 'ImpersonationSettings' });

/** The section of an environment's settings. */
export const impersonationSettings = { name: 'impersonations', schema: ImpersonationSettings };

import * as z from 'zod';

import type { SettingsSection } from '../../kernel/environment-settings.ts';

const AuthorizationSettings = z
  .object({
    decision_log: z
      .enum(['off', 'denials', 'all'])
      .default('off')
      .describe('The decisions of checks that are written to the log of the function.'),
    decision_log_sample: z
      .number()
      .min(0)
      .max(1)
      .default(1)
      .describe(
        'The share of requests whose decisions are written, from 0 to 1. Either all decisions of a request are written, or none.',
      ),
  })
  .meta({ id: 'XAuthorizationSettings' });

/** The environment's settings for authorization. */
export const authorizationSettings: SettingsSection<typeof AuthorizationSettings> = {
  name: 'authorization',
  schema: AuthorizationSettings,
};

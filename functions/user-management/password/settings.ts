import * as z from 'zod';

import type { SettingsSection } from '../../kernel/environment-settings.ts';

/**
 * What an environment asks of passwords, and how they are reset.
 *
 * The defaults follow NIST SP 800-63B: length and a list of what is guessed first, no rules of composition and no expiry.
 * `min_length`: characters, 8 to 64. `min_classes`: of lower case, upper case, digits and others, how many must occur.
 * `refuse_common`: refuses common passwords, runs, repetitions and the name in the email address. `reset`: whether a
 * password can be reset by mail. `reset_url`: the page that the mail links to; the token is added as `token`. The hosted page
 * when absent.
 */
export const PasswordSettings = z
  .object({
    min_length: z.number().int().min(8).max(64).default(10),
    min_classes: z.number().int().min(0).max(4).default(0),
    refuse_common: z.boolean().default(true),
    reset: z.boolean().default(true),
    reset_url: z
      .url({ protocol: /^https?$/ })
      .max(2_048)
      .nullable()
      .default(null),
  })
  .meta({ id: 'PasswordSettings' });

export const passwordSettings: SettingsSection<typeof PasswordSettings> = {
  name: 'passwords',
  schema: PasswordSettings,
};

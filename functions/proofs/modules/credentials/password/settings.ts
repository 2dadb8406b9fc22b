import * as z from 'zod';

import type { SettingsSection } from '../../../../kernel/environment-settings.ts';

/**
 * An environment's password rules, and the settings of password resets.
 *
 * The defaults follow NIST SP 800-63B: length and a check against common passwords, no composition rules and no expiry.
 */
export const PasswordSettings = z
  .object({
    min_length: z.number().int().min(8).max(64).default(10).describe('The minimum number of characters.'),
    min_classes: z
      .number()
      .int()
      .min(0)
      .max(4)
      .default(0)
      .describe(
        'The number of these kinds that a password must have: lower case, upper case, digits, other characters.',
      ),
    refuse_common: z
      .boolean()
      .default(true)
      .describe('Whether common passwords, sequences, repetitions and the name in the email address are rejected.'),
    reset: z.boolean().default(true).describe('Whether a password can be reset by mail.'),
    reset_url: z
      .url({ protocol: /^https?$/ })
      .max(2_048)
      .nullable()
      .default(null)
      .describe('The page to which the mail links, with the query parameter `token`. Default: the hosted page.'),
  })
  .meta({ id: 'PasswordSettings' });

export const passwordSettings: SettingsSection<typeof PasswordSettings> = {
  name: 'passwords',
  schema: PasswordSettings,
};

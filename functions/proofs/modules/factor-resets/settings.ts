import * as z from 'zod';

/** The environment's settings for the reset of factors by operators. */
export const FactorResetSettings = z
  .object({
    delay_hours: z
      .number()
      .int()
      .min(0)
      .max(168)
      .default(0)
      .describe(
        'The hours after which a factor that an operator resets is removed. Until then the user can stop it by the link in a mail. 0 removes it at once.',
      ),
  })
  .meta({ id: 'FactorResetSettings' });

/** The section of an environment's settings. */
export const factorResetSettings = { name: 'factorResets', schema: FactorResetSettings };

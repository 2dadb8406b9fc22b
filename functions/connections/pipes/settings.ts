import * as z from 'zod';

/**
 * The environment's settings for this area. `authorization_start` decides whether an authorization URL asks the user first:
 * `confirm` shows a page that names the provider and the recipient of the connected account; `redirect` continues at once,
 * for applications whose own page asks. `organization_integrations` decides whether there are integrations that
 * organizations connect to.
 */
const PipesSettings = z
  .object({
    authorization_start: z
      .enum(['confirm', 'redirect'])
      .default('confirm')
      .describe(
        'Whether an authorization URL opens a page that asks for confirmation, or redirects to the provider at once.',
      ),
    organization_integrations: z.boolean().default(true).describe('Whether organizations can connect accounts.'),
  })
  .meta({ id: 'PipesSettings' });

/** The section of an environment's settings; the defaults are the most restrictive ones. */
export const pipesSettings = { name: 'pipes', schema: PipesSettings };

import * as z from 'zod';

/**
 * What an environment sets for the area.
 *
 * `authorization_start`: whether people who open an authorization URL are asked first. `confirm` shows
 * them a page that names the provider and who receives the connection; `redirect` sends them on at once, for those whose
 * own page asks. `organization_integrations`: whether there are integrations that organizations connect to.
 */
export const PipesSettings = z
  .object({
    authorization_start: z.enum(['confirm', 'redirect']).default('confirm'),
    organization_integrations: z.boolean().default(true),
  })
  .meta({ id: 'PipesSettings' });

/** The section of an environment's settings; what is not set is as careful as can be. */
export const pipesSettings = { name: 'pipes', schema: PipesSettings };

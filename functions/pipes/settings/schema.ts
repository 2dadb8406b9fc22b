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

/** The settings in an environment's record; what is not set, or not readable, is as careful as can be. */
export function pipesSettings(settings: unknown): z.output<typeof PipesSettings> {
  const own = (settings as { pipes?: unknown } | undefined)?.pipes;
  const parsed = PipesSettings.safeParse(own ?? {});
  return parsed.success ? parsed.data : PipesSettings.parse({});
}

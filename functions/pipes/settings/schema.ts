import * as z from 'zod';

/**
 * What an environment sets for the area: whether people who open an authorization URL are asked first. `confirm` shows
 * them a page that names the provider and who receives the connection; `redirect` sends them on at once, for those whose
 * own page asks.
 */
export const PipesSettings = z
  .object({ authorization_start: z.enum(['confirm', 'redirect']) })
  .meta({ id: 'PipesSettings' });

/** The settings in an environment's record; what is not set, or not readable, is as careful as can be. */
export function pipesSettings(settings: unknown): z.output<typeof PipesSettings> {
  const own = (settings as { pipes?: unknown } | undefined)?.pipes;
  const parsed = PipesSettings.safeParse(own);
  return parsed.success ? parsed.data : { authorization_start: 'confirm' };
}

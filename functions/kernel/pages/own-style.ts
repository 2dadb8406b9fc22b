import * as z from 'zod';

/** Maximum bytes of an environment's own style rules, as a caller sends them. */
export const MAX_OWN_STYLE = 4_096;

/**
 * The section of an environment's settings with its own style rules: checked and written by the service
 * (`pages/own-style`), so a page inserts them as they are. It is empty by default.
 */
export const ownStyleSettings = {
  name: 'own-style',
  schema: z.object({ css: z.string().default('') }).meta({ id: 'OwnStyle' }),
};

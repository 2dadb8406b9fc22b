import * as z from 'zod';

/** The design of an environment's messages. */
export interface Brand {
  /** The sender's name and the heading. */
  name: string;
  /** The https address of a picture at most 48 pixels high; without one the name is shown. */
  logoUrl: string | undefined;
  /** The colour of the button: `#rrggbb`. */
  colour: string;
  /** The address for questions of readers; also the mail's Reply-To. */
  supportEmail: string | undefined;
}

/** The settings of an environment for its messages. */
export interface MessageSettings {
  brand: Brand;
  /** Language of messages if the reader's own is not known. */
  locale: string | undefined;
}

/** The default colour of buttons. */
export const DEFAULT_COLOUR = '#1f4fd8';

// An invalid setting is ignored, because a sign-in mail must not fail for a mistyped colour.
const Stored = z.object({
  brand: z
    .object({
      name: z.string().trim().min(1).max(80).optional().catch(undefined),
      logo_url: z
        .url({ protocol: /^https$/ })
        .optional()
        .catch(undefined),
      colour: z
        .string()
        .regex(/^#[0-9a-fA-F]{6}$/)
        .default(DEFAULT_COLOUR)
        .catch(DEFAULT_COLOUR),
      support_email: z.email().optional().catch(undefined),
    })
    .default({ colour: DEFAULT_COLOUR })
    .catch({ colour: DEFAULT_COLOUR }),
  locale: z.string().min(2).max(35).optional().catch(undefined),
});

/**
 * The message settings of an environment, read from `settings.messages` of its record: `{"brand": {"name", "logo_url",
 * "colour", "support_email"}, "locale"}`, each optional.
 * @param environment The environment's record; its name is the default name of the brand.
 */
export function readMessageSettings(environment: { name: string; settings?: unknown }): MessageSettings {
  const stored = (environment.settings as { messages?: unknown } | undefined)?.messages ?? {};
  const { data = Stored.parse({}) } = Stored.safeParse(stored);
  const { name = environment.name, logo_url: logoUrl, colour, support_email: supportEmail } = data.brand;
  return { brand: { name, logoUrl, colour, supportEmail }, locale: data.locale };
}

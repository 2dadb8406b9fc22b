import * as z from 'zod';

/** How an environment's messages look. */
export interface Brand {
  /** Shown as the sender and at the top. */
  name: string;
  /** An https address of a picture at most 48 pixels high; the name is shown instead where there is none. */
  logoUrl: string | undefined;
  /** Of the button: `#rrggbb`. */
  colour: string;
  /** Where readers may write; also the mail's Reply-To. */
  supportEmail: string | undefined;
}

/** The settings of an environment that concern its messages. */
export interface MessageSettings {
  brand: Brand;
  /** Language of messages whose reader's own is not known. */
  locale: string | undefined;
}

/** Of buttons, where an environment sets none. */
export const DEFAULT_COLOUR = '#1f4fd8';

// A setting that makes no sense loses its effect; a sign-in mail must not fail for a mistyped colour.
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
 * The message settings of an environment, read from `settings.messages` of its record:
 * `{"brand": {"name", "logo_url", "colour", "support_email"}, "locale"}`, each optional.
 * @param environment The environment's record; its name is the brand's where no other is set.
 */
export function messageSettingsOf(environment: { name: string; settings?: unknown }): MessageSettings {
  const stored = (environment.settings as { messages?: unknown } | undefined)?.messages ?? {};
  const { data = Stored.parse({}) } = Stored.safeParse(stored);
  const { name = environment.name, logo_url: logoUrl, colour, support_email: supportEmail } = data.brand;
  return { brand: { name, logoUrl, colour, supportEmail }, locale: data.locale };
}

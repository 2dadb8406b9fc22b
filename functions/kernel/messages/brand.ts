import * as z from 'zod';

/** The design of an environment's messages. */
export interface Brand {
  /** The sender's name and the heading. */
  name: string;
  /** The https address of a picture at most 48 pixels high; without one the name is shown. */
  logoUrl: string | undefined;
  /** The picture for readers with a dark scheme; that of {@link logoUrl} without one. */
  darkLogoUrl?: string | undefined;
  /** The colour of the button: `#rrggbb`. */
  colour: string;
  /** The address for questions of readers; also the mail's Reply-To. */
  supportEmail: string | undefined;
  /** The address of the application, to which notices lead. */
  homeUrl?: string | undefined;
}

/** Own texts by language tag and key. */
type OwnTexts = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** The settings of an environment for its messages. */
export interface MessageSettings {
  brand: Brand;
  /** Language of messages if the reader's own is not known. */
  locale: string | undefined;
  /** True if codes are in the subjects of mails. */
  isCodeInSubject: boolean;
  texts: OwnTexts;
}

/** The default colour of buttons. */
export const DEFAULT_COLOUR = '#1f4fd8';

// An invalid setting is ignored, because a sign-in mail must not fail for a mistyped colour.
const name = () => z.string().trim().min(1).max(80).optional().catch(undefined);
const address = (protocol: RegExp) => z.url({ protocol }).optional().catch(undefined);
const colour = () =>
  z
    .string()
    .regex(/^#[0-9a-fA-F]{6}$/)
    .optional()
    .catch(undefined);

const describeStored = () =>
  z.object({
    brand: z
      .object({
        name: name(),
        logo_url: address(/^https$/),
        colour: colour(),
        support_email: z.email().optional().catch(undefined),
      })
      .default({})
      .catch({}),
    locale: z.string().min(2).max(35).optional().catch(undefined),
    code_in_subject: z.boolean().default(false).catch(false),
    texts: z.record(z.string(), z.record(z.string(), z.string())).default({}).catch({}),
  });

/** The members of the pages' settings from which mails take what their own settings leave out. */
const describePages = () =>
  z.object({
    brand_name: name(),
    logo_url: address(/^https$/),
    home_url: address(/^https?$/),
    light: z
      .object({ accent: colour(), logo_url: address(/^https$/) })
      .default({})
      .catch({}),
    dark: z
      .object({ logo_url: address(/^https$/) })
      .default({})
      .catch({}),
  });

/** The two schemas are made at the first use, since most functions rarely send a message. */
let schemas: { own: ReturnType<typeof describeStored>; pages: ReturnType<typeof describePages> } | undefined;

/**
 * Reads the message settings of an environment from `settings.messages` of its record: `{"brand": {"name", "logo_url",
 * "colour", "support_email"}, "locale", "code_in_subject", "texts"}`, each optional. A brand that is not set there is that of
 * the pages in `settings.pages`, so that one brand is enough.
 * @param environment The environment's record; its name is the default name of the brand.
 */
export function readMessageSettings(environment: { name: string; settings?: unknown }): MessageSettings {
  const sections = environment.settings as { messages?: unknown; pages?: unknown } | undefined;
  schemas ??= { own: describeStored(), pages: describePages() };
  const { data: own = schemas.own.parse({}) } = schemas.own.safeParse(sections?.messages ?? {});
  const { data: pages = schemas.pages.parse({}) } = schemas.pages.safeParse(sections?.pages ?? {});
  const { brand, locale, code_in_subject: isCodeInSubject, texts } = own;
  return {
    brand: {
      name: brand.name ?? pages.brand_name ?? environment.name,
      logoUrl: brand.logo_url ?? pages.light.logo_url ?? pages.logo_url,
      darkLogoUrl: brand.logo_url === undefined ? pages.dark.logo_url : undefined,
      colour: brand.colour ?? pages.light.accent ?? DEFAULT_COLOUR,
      supportEmail: brand.support_email,
      homeUrl: pages.home_url,
    },
    locale,
    isCodeInSubject,
    texts,
  };
}

import * as z from 'zod';

import { ownTexts } from '../own-texts.ts';
import { contrast } from './theme/colour.ts';
import { wordKeys } from './words/index.ts';

const colour = () => z.string().regex(/^#[0-9a-fA-F]{6}$/, 'is a colour such as #1f4fd8');
const link = () =>
  z
    .url({ protocol: /^https?$/ })
    .max(2_048)
    .nullable()
    .default(null);

const MAX_PICTURE = 65_536;
const picture = () =>
  z
    .string()
    .max(MAX_PICTURE)
    .refine(
      (value) =>
        value.startsWith('https://')
          ? URL.canParse(value)
          : /^data:image\/(png|jpeg|webp|svg\+xml);base64,[A-Za-z0-9+/]+=*$/.test(value),
      'is an https URL, or a data URL of a PNG, JPEG, WebP or SVG image in base64',
    )
    .nullable()
    .default(null);

/** The minimum contrast for text of ordinary size (WCAG 2.2, 1.4.3). */
const READABLE = 4.5;

/**
 * The colours of one scheme; borders, quiet text and text on the accent are derived from them, always with sufficient
 * contrast.
 */
const palette = (defaults: { accent: string; background: string; surface: string; text: string }) =>
  z
    .object({
      /** The colour of buttons, links and focus. */
      accent: colour().default(defaults.accent),
      /** The background of the page. */
      background: colour().default(defaults.background),
      /** The background of the card. */
      surface: colour().default(defaults.surface),
      text: colour().default(defaults.text),
      /** The logo in this scheme, if it differs from `logo_url`. */
      logo_url: picture(),
    })
    .superRefine(({ background, surface, text }, context) => {
      for (const [name, behind] of Object.entries({ background, surface })) {
        const ratio = contrast(text, behind);
        if (ratio >= READABLE) continue;
        const message = `is hard to read on the ${name}: contrast ${ratio.toFixed(2)} : 1, at least ${READABLE} : 1 is needed`;
        context.addIssue({ code: 'custom', path: ['text'], message });
      }
    })
    .prefault({});

/** An origin: scheme, host and port, without a path. */
const origin = () =>
  z.url({ protocol: /^https?$/ }).refine(
    // The origin must be valid in a policy: no wildcard, and no character that ends a directive, which a host may contain.
    (value) => /^https?:\/\/[\w.[\]:-]+$/.test(value) && URL.canParse(value) && new URL(value).origin === value,
    'is an origin such as https://app.example.com',
  );

/** The design and the features of an environment's hosted pages. */
const describeSettings = () =>
  z
    .object({
      brand_name: z
        .string()
        .trim()
        .min(1)
        .max(80)
        .nullable()
        .default(null)
        .describe(
          'The name on the pages. Default: `brand.name` of the settings for messages, and without that the name of the environment.',
        ),
      logo_url: picture().describe('The logo: an https URL, or a data URL of an image in base64.'),
      favicon_url: picture().describe('The icon of browser tabs, in the same forms. Default: none.'),
      appearance: z
        .enum(['system', 'light', 'dark'])
        .default('system')
        .describe('The colour scheme of the pages: that of the reader’s system, or always the same.'),
      terms_url: link(),
      privacy_url: link(),
      home_url: link().describe('The link on pages that do not belong to a sign-in.'),
      light: palette({ accent: '#1f4fd8', background: '#f3f5f9', surface: '#ffffff', text: '#141a24' }),
      dark: palette({ accent: '#7ea2ff', background: '#0d1016', surface: '#171b23', text: '#eef1f6' }),
      font: z.enum(['system', 'humanist', 'geometric', 'rounded', 'serif', 'mono']).default('system'),
      font_url: z
        .url({ protocol: /^https$/ })
        .max(2_048)
        .regex(/^[\w./:?&=%~+,-]+\.woff2(\?[\w.&=%~+,-]*)?$/, 'is an https URL of a WOFF2 file')
        .nullable()
        .default(null)
        .describe(
          'A font of your own: the https URL of a WOFF2 file, whose server allows other origins (CORS). Until it is loaded, and in ' +
            'mails, `font` is shown.',
        ),
      radius: z.number().int().min(0).max(24).default(10).describe('The radius of corners, in pixels.'),
      sign_in_form: z
        .enum(['email_first', 'email_and_password'])
        .default('email_first')
        .describe('Whether the first page requests the email and the password together, or only the email.'),
      browser_session_seconds: z
        .number()
        .int()
        .min(0)
        .max(34_560_000)
        .default(604_800)
        .describe(
          'How long a browser remains signed in for further applications, in seconds; 0 requires a sign-in each time.',
        ),
      provider_order: z
        .array(z.string().max(60))
        .max(30)
        .default([])
        .describe(
          'The order of the sign-in providers, by the values of `provider` at authorize, such as `GoogleOAuth`. Others follow by name.',
        ),
      provider_position: z
        .enum(['below', 'above'])
        .default('below')
        .describe('Whether the buttons of sign-in providers are below or above the form.'),
      language_menu: z
        .boolean()
        .default(false)
        .describe('Whether readers can choose the language on the pages. A cookie keeps the choice for a year.'),
      stay_signed_in: z
        .enum(['always', 'ask'])
        .default('always')
        .describe(
          'Whether a browser always remains signed in, or only if the user chooses so at the sign-in. Without that choice it is ' +
            'signed in until it is closed, for 12 hours at most.',
        ),
      redirect_origins: z
        .array(origin())
        .max(20)
        .default([])
        .describe(
          'Other origins to which a redirect URI redirects. Browsers apply `form-action` to each redirect after a ' +
            'form, and block origins that are not listed.',
        ),
      texts: ownTexts(wordKeys).describe(
        'Your own texts: by language, then by key, such as `{"de": {"sign_in.title": "Anmelden bei {brand}"}}`. `/openapi.json` lists all keys in `PagesSettingsInput`. Placeholders such as `{brand}` ' +
          'are replaced.',
      ),
    })
    .meta({ id: 'PagesSettings' });

type Schema = ReturnType<typeof describeSettings>;

export type PagesSettings = z.output<Schema>;

let schema: Schema | undefined;

/** The section of an environment's settings. Its schema is made at the first use, since most functions rarely show a page. */
export const pagesSettings = {
  name: 'pages',
  get schema(): Schema {
    return (schema ??= describeSettings());
  },
};

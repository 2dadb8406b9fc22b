import * as z from 'zod';

import { contrast } from './theme/colour.ts';
import { wordKeys } from './words/index.ts';

const Colour = z.string().regex(/^#[0-9a-fA-F]{6}$/, 'is a colour such as #1f4fd8');
const Link = z
  .url({ protocol: /^https?$/ })
  .max(2_048)
  .nullable()
  .default(null);

const MAX_PICTURE = 65_536;
const Picture = z
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

/** WCAG 2.2, 1.4.3: text of ordinary size. */
const READABLE = 4.5;

/** One scheme's colours; what is written on the accent, borders and quiet text derive from them, always readable. */
const palette = (defaults: { accent: string; background: string; surface: string; text: string }) =>
  z
    .object({
      /** Buttons, links and focus. */
      accent: Colour.default(defaults.accent),
      /** Behind the card. */
      background: Colour.default(defaults.background),
      /** The card. */
      surface: Colour.default(defaults.surface),
      text: Colour.default(defaults.text),
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

const Texts = z.record(
  z.string().regex(/^[a-z]{2,8}(-[A-Za-z0-9]{2,8})*$/, 'is a language tag such as de or pt-BR'),
  z.partialRecord(z.enum(wordKeys as [string, ...string[]]), z.string().min(1).max(500)),
);

/** An origin: scheme, host and port, without a path. */
const Origin = z.url({ protocol: /^https?$/ }).refine(
  // A policy must be able to hold it: no wildcard, and nothing that ends a directive, which a host may have.
  (value) => /^https?:\/\/[\w.[\]:-]+$/.test(value) && URL.canParse(value) && new URL(value).origin === value,
  'is an origin such as https://app.example.com',
);

/** How an environment's hosted pages look and what they offer. */
export const PagesSettings = z
  .object({
    brand_name: z
      .string()
      .trim()
      .min(1)
      .max(80)
      .nullable()
      .default(null)
      .describe('Whose pages they are; that of the environment’s mails where none is named.'),
    logo_url: Picture.describe('An https URL, or a data URL of an image in base64.'),
    terms_url: Link,
    privacy_url: Link,
    home_url: Link.describe('Where pages that belong to no sign-in lead back to.'),
    light: palette({ accent: '#1f4fd8', background: '#f3f5f9', surface: '#ffffff', text: '#141a24' }),
    dark: palette({ accent: '#7ea2ff', background: '#0d1016', surface: '#171b23', text: '#eef1f6' }),
    font: z.enum(['system', 'humanist', 'geometric', 'rounded', 'serif', 'mono']).default('system'),
    radius: z.number().int().min(0).max(24).default(10).describe('Of corners, in pixels.'),
    sign_in_form: z
      .enum(['email_first', 'email_and_password'])
      .default('email_first')
      .describe('Whether email and password are asked for together, or the email first.'),
    browser_session_seconds: z
      .number()
      .int()
      .min(0)
      .max(34_560_000)
      .default(604_800)
      .describe('How long a browser stays signed in, so that a second application need not ask; 0 asks every time.'),
    redirect_origins: z
      .array(Origin)
      .max(20)
      .default([])
      .describe(
        'Further origins to which a redirect URI forwards: browsers hold a page’s `form-action` against every redirect ' +
          'after a form, and block one that is not named.',
      ),
    texts: Texts.default({}).describe('Own words by language and key, `{brand}` and the like in braces.'),
  })
  .meta({ id: 'PagesSettings' });

export type PagesSettings = z.output<typeof PagesSettings>;

/** The section of an environment's settings. */
export const pagesSettings = { name: 'pages', schema: PagesSettings };

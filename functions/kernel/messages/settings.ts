import * as z from 'zod';

import type { SettingsSection } from '../environment-settings.ts';
import { ownTexts } from '../own-texts.ts';
import { en } from './words/en.ts';

/** The design of an environment's mails and texts; `brand.ts` reads it, and ignores invalid values. */
const MessagesSettings = z
  .object({
    brand: z
      .object({
        name: z
          .string()
          .trim()
          .min(1)
          .max(80)
          .regex(/^\P{Cc}*$/u, 'has no line breaks')
          .nullable()
          .default(null)
          .describe(
            'The sender’s name in mails, also shown in authenticator apps. Default: `brand_name` of the settings for pages, and without that ' +
              'the name of the environment.',
          ),
        logo_url: z
          .url({ protocol: /^https$/ })
          .max(2_048)
          .nullable()
          .default(null)
          .describe(
            'An image at most 48 pixels high. Default: the logo of the hosted pages if it is an https URL; otherwise the name is shown.',
          ),
        colour: z
          .string()
          .regex(/^#[0-9a-fA-F]{6}$/, 'is a colour such as #1f4fd8')
          .nullable()
          .default(null)
          .describe('The colour of buttons. Default: the `light.accent` of the hosted pages.'),
        support_email: z
          .email()
          .max(254)
          .nullable()
          .default(null)
          .describe('The address for replies and support; also the Reply-To.'),
      })
      .prefault({}),
    locale: z
      .string()
      .max(35)
      .regex(/^[a-zA-Z]{2,3}(-[a-zA-Z0-9]{2,8})*$/, 'is a language tag such as de or pt-BR')
      .nullable()
      .default(null)
      .describe('The language of messages if the recipient’s is not known. Default: English.'),
    code_in_subject: z
      .boolean()
      .default(false)
      .describe(
        'True if the subject of a mail with a code begins with the code. Locked screens show subjects to everyone.',
      ),
    texts: ownTexts(Object.keys(en)).describe(
      'Your own texts of mails and SMS: by language, then by key, such as `{"de": {"magic_auth.subject": "Ihr Code für {brand}"}}`. `/openapi.json` lists all keys in `MessagesSettingsInput`. Placeholders ' +
        'such as `{brand}` are replaced.',
    ),
  })
  .meta({ id: 'MessagesSettings' });

/** The section of an environment's settings. */
export const messagesSettings: SettingsSection<typeof MessagesSettings> = {
  name: 'messages',
  schema: MessagesSettings,
};

import * as z from 'zod';

import type { SettingsSection } from '../environment-settings.ts';
import { DEFAULT_COLOUR } from './brand.ts';

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
            'The sender’s name, also on the hosted pages and in authenticator apps. Default: the environment’s name.',
          ),
        logo_url: z
          .url({ protocol: /^https$/ })
          .max(2_048)
          .nullable()
          .default(null)
          .describe('An image at most 48 pixels high; the name is shown if absent.'),
        colour: z
          .string()
          .regex(/^#[0-9a-fA-F]{6}$/, 'is a colour such as #1f4fd8')
          .default(DEFAULT_COLOUR)
          .describe('The colour of buttons.'),
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
  })
  .meta({ id: 'MessagesSettings' });

/** The section of an environment's settings. */
export const messagesSettings: SettingsSection<typeof MessagesSettings> = {
  name: 'messages',
  schema: MessagesSettings,
};

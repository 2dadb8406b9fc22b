import * as z from 'zod';

import { template } from '../template.ts';

/**
 * A one-time code to be typed, by SMS. The text only uses characters of the GSM alphabet, so that it is one message of
 * at most 160 characters if the brand's name uses that alphabet too.
 */
export const smsCode = template({
  name: 'sms-code',
  values: z.object({
    code: z.string().regex(/^\d{6}$/),
    /** The caller's complete text, which contains the code. */
    text: z.string().optional(),
  }),
  sms: {
    en: ({ code, text }, { brand }) =>
      text?.split('\n') ?? `${code} is your ${brand.name} code. Never share it with anyone.`,
    de: ({ code, text }, { brand }) =>
      text?.split('\n') ?? `${code} ist Ihr Code für ${brand.name}. Nennen Sie ihn niemandem.`,
    es: ({ code, text }, { brand }) =>
      text?.split('\n') ?? `${code} es tu clave de ${brand.name}. No la compartas con nadie.`,
    fr: ({ code, text }, { brand }) =>
      text?.split('\n') ?? `${code} est votre code ${brand.name}. Ne le donnez à personne.`,
  },
});

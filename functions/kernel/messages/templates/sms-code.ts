import * as z from 'zod';

import { template } from '../template.ts';

/**
 * A one-time code to be typed, by SMS. The built-in texts in Latin script only use characters of the GSM alphabet where the
 * language allows it, so that it is one message of at most 160 characters if the brand's name uses that alphabet too.
 */
export const smsCode = template({
  name: 'sms-code',
  cause: 'own_sign_in',
  values: z.object({
    code: z.string().regex(/^\d{6}$/),
    /** The caller's complete text, which contains the code. */
    text: z.string().optional(),
    /**
     * The host of the page on which the code is entered; absent if it is not a page of this service. With it the last line is
     * `@host #code`, by which browsers offer the code on that host only (WICG "origin-bound one-time codes").
     */
    host: z.string().max(253).optional(),
  }),
  sms: ({ code, text, host }, { translate }) => [
    ...(text?.split('\n') ?? [translate('sms.code', { code })]),
    ...(host === undefined ? [] : ['', `@${host} #${code}`]),
  ],
});

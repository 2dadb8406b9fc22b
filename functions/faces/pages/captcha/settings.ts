import * as z from 'zod';

import { CAPTCHA_PROVIDERS } from '../../../kernel/pages/captcha.ts';

const Stored = z.object({
  provider: z.enum(CAPTCHA_PROVIDERS).nullable().default(null),
  site_key: z.string().default(''),
  /** The secret key in base64, encrypted. */
  sealed: z.string().default(''),
  fail_open: z.boolean().default(true),
  verify_url: z.string().nullable().default(null),
});

export type StoredCaptcha = z.output<typeof Stored>;

/** The section of an environment's settings. Without a provider there is no captcha. */
export const captchaSettings = { name: 'captcha', schema: Stored };

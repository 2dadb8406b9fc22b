import * as z from 'zod';

import { apiKey } from '../../../kernel/authentication/api-key.ts';
import { EgressError } from '../../../kernel/egress/egress.ts';
import { checkSavedUrl } from '../../../kernel/egress/policy.ts';
import { findSettings, stageSettings } from '../../../kernel/environment-settings.ts';
import type { Issue } from '../../../kernel/errors.ts';
import { messagesWith400 } from '../../../kernel/http/error-response.ts';
import { operation } from '../../../kernel/operation.ts';
import { CAPTCHA_PROVIDERS } from '../../../kernel/pages/captcha.ts';
import { secret } from '../../../kernel/values.ts';
import { sealSecret } from './secret.ts';
import { captchaSettings, type StoredCaptcha } from './settings.ts';

const PATH = '/x/pages/captcha';

const shared = {
  provider: z.enum(CAPTCHA_PROVIDERS).describe('The service: Cloudflare Turnstile or hCaptcha.'),
  site_key: z
    .string()
    .regex(/^[\w-]{1,100}$/)
    .describe('The public key of your site at the provider.'),
};

const ConfigureCaptcha = z
  .object({
    ...shared,
    secret_key: secret.min(1).max(200).describe('The secret key of your site. It is stored encrypted and never shown.'),
    fail_open: z
      .boolean()
      .default(true)
      .describe(
        'Whether a form is accepted if the provider cannot be reached within five seconds. The limits of mails apply in any case.',
      ),
    verify_url: z
      .string()
      .max(2_048)
      .nullable()
      .default(null)
      .describe('The address of the check, if it is not that of the provider, such as a proxy of your own.'),
  })
  .meta({ id: 'ConfigureCaptcha' });

const PresentedCaptcha = z
  .object({
    provider: shared.provider.nullable().describe('The service; null if the pages have no captcha.'),
    site_key: z.string(),
    fail_open: z.boolean(),
    verify_url: z.string().nullable(),
  })
  .meta({ id: 'Captcha' });

const present = ({ provider, site_key, fail_open, verify_url }: StoredCaptcha): z.input<typeof PresentedCaptcha> => ({
  provider,
  site_key,
  fail_open,
  verify_url,
});

function urlIssues(url: string | null): Issue[] {
  try {
    if (url !== null) checkSavedUrl(url);
    return [];
  } catch (error) {
    if (error instanceof EgressError) return [{ field: 'verify_url', code: error.code, message: error.message }];
    throw error;
  }
}

const common = {
  path: PATH,
  auth: apiKey,
  errorForm: messagesWith400,
  responses: { 200: PresentedCaptcha },
  errors: [],
  emits: [],
  idempotency: 'none',
} as const;

const getCaptcha = operation({
  ...common,
  id: 'pages.get_captcha',
  method: 'GET',
  summary: 'Get the captcha of the hosted pages',
  handle: async ({ environmentId }) => ({
    status: 200,
    body: present(await findSettings(environmentId, captchaSettings)),
  }),
});

const configureCaptcha = operation({
  ...common,
  id: 'pages.configure_captcha',
  method: 'PUT',
  summary: 'Configure the captcha of the hosted pages',
  description:
    'People then have to pass it on the pages that send mail to any address: sign-up, sign-in code, the email address that a provider did not share, and forgotten ' +
    'password. Only these pages load its script, and it needs JavaScript.',
  body: ConfigureCaptcha,
  async handle({ environmentId, body, unit, invalid }) {
    const issues = urlIssues(body.verify_url);
    if (issues.length > 0) throw invalid(issues);
    const { secret_key: key, ...rest } = body;
    const next = { ...rest, sealed: await sealSecret(environmentId, key) };
    await stageSettings(unit, environmentId, captchaSettings, () => next);
    return { status: 200, body: present(next) };
  },
});

const removeCaptcha = operation({
  ...common,
  id: 'pages.remove_captcha',
  method: 'DELETE',
  summary: 'Remove the captcha of the hosted pages',
  responses: { 204: null },
  async handle({ environmentId, unit }) {
    const none = captchaSettings.schema.parse({});
    await stageSettings(unit, environmentId, captchaSettings, () => none);
    return { status: 204 };
  },
});

export const captchaOperations = [getCaptcha, configureCaptcha, removeCaptcha] as const;

import { type Html, html } from './html.ts';
import type { Surroundings } from './surroundings.ts';

/** The services that distinguish people from programs. */
export const CAPTCHA_PROVIDERS = ['turnstile', 'hcaptcha'] as const;
export type CaptchaProvider = (typeof CAPTCHA_PROVIDERS)[number];

/** A captcha on a page. */
export interface Captcha {
  provider: CaptchaProvider;
  /** The public key of the site at the provider. */
  siteKey: string;
}

/** The facts of a provider: what a page loads, and the field of the form in which its script puts its token. */
interface CaptchaFacts {
  script: string;
  className: string;
  field: string;
  /** The sources that the page allows for scripts, frames, styles and connections of the provider. */
  sources: readonly string[];
  /** The address at which the service checks a token. */
  verifyUrl: string;
}

const FACTS: Readonly<Record<CaptchaProvider, CaptchaFacts>> = {
  turnstile: {
    script: 'https://challenges.cloudflare.com/turnstile/v0/api.js',
    className: 'cf-turnstile',
    field: 'cf-turnstile-response',
    sources: ['https://challenges.cloudflare.com'],
    verifyUrl: 'https://challenges.cloudflare.com/turnstile/v0/siteverify',
  },
  hcaptcha: {
    script: 'https://js.hcaptcha.com/1/api.js',
    className: 'h-captcha',
    field: 'h-captcha-response',
    sources: ['https://hcaptcha.com', 'https://*.hcaptcha.com'],
    verifyUrl: 'https://api.hcaptcha.com/siteverify',
  },
};

/** The facts of the provider of a captcha. */
export const findCaptchaFacts = ({ provider }: Pick<Captcha, 'provider'>): CaptchaFacts => FACTS[provider];

/** The place of a captcha in a form; nothing for a page without one. */
export function captchaField(captcha: Captcha | undefined, surroundings: Surroundings): Html | undefined {
  if (captcha === undefined) return undefined;
  const { settings, language } = surroundings;
  const theme = settings.appearance === 'system' ? 'auto' : settings.appearance;
  return html`<div
      class="captcha ${findCaptchaFacts(captcha).className}"
      data-sitekey="${captcha.siteKey}"
      data-theme="${theme}"
      data-language="${language.locale}"
    ></div>
    <noscript><p class="alert">${language.translate('captcha.needs_script')}</p></noscript>`;
}

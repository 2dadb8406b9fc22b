import { findSettings } from '../../../kernel/environment-settings.ts';
import type { Captcha } from '../../../kernel/pages/captcha.ts';
import { captchaSettings } from './settings.ts';

/** The captcha of an environment's pages; undefined without one. It reads nothing while the environment is cached. */
export async function findCaptcha(environmentId: string): Promise<Captcha | undefined> {
  const { provider, site_key: siteKey } = await findSettings(environmentId, captchaSettings);
  return provider === null ? undefined : { provider, siteKey };
}

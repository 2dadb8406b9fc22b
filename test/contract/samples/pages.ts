import type { AreaSamples } from './sample.ts';

export const pageSamples: AreaSamples = {
  bodies: {
    'pages.configure_captcha': async () => ({ provider: 'turnstile', site_key: '0x4AAA', secret_key: 'a-secret-key' }),
  },
};

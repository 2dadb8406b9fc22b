import type { AreaSamples } from './sample.ts';

export const pageSamples: AreaSamples = {
  bodies: {
    'pages.update_style': async () => ({
      css: '.card { border-radius: 0; box-shadow: none } h1 { text-align: center }',
    }),
    'pages.configure_captcha': async () => ({ provider: 'turnstile', site_key: '0x4AAA', secret_key: 'a-secret-key' }),
  },
};

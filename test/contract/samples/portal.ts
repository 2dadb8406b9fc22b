import { type AreaSamples, organization } from './sample.ts';

export const portalSamples: AreaSamples = {
  bodies: {
    'portal.generate_link': async (api) => ({
      organization: await organization(api),
      intent: 'sso',
      admin_emails: ['ada@acme.example'],
    }),
    'portal.update_settings': async () => ({ return_url: 'https://app.acme.example/', success_url: null }),
  },
};

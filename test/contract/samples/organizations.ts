import { randomUUID } from 'node:crypto';

import { type Api, type AreaSamples, organization } from './sample.ts';

const domain = async (api: Api): Promise<Record<string, string>> => {
  const body = { organization_id: await organization(api), domain: 'acme.example' };
  return { id: String((await api.create('/organization_domains', body)).id) };
};

const contact = async (api: Api): Promise<Record<string, string>> => {
  const organization_id = await organization(api);
  const { id } = await api.create(`/organizations/${organization_id}/it_contacts`, { email: 'ada@acme.example' });
  return { organization_id, contact_id: String(id) };
};

export const organizationSamples: AreaSamples = {
  params: {
    '/organizations/{id}': async (api) => ({ id: await organization(api) }),
    '/organizations/external_id/{external_id}': async ({ create }) => {
      const external_id = randomUUID();
      await create('/organizations', { name: 'Acme', external_id });
      return { external_id };
    },
    '/organization_domains/{id}': domain,
    '/organizations/{organization_id}/it_contacts': async (api) => ({ organization_id: await organization(api) }),
    '/organizations/{organization_id}/it_contacts/{contact_id}': contact,
  },
  bodies: {
    'organization_domains.create': async (api) => ({
      organization_id: await organization(api),
      domain: 'acme.example',
    }),
    'it_contacts.create': async () => ({ email: 'ada@acme.example' }),
  },
};

import { randomUUID } from 'node:crypto';

import { writeMembership, writeUser } from '../../support/user-rows.ts';
import { type Api, type AreaSamples, organization } from './sample.ts';

type Members = Record<string, string>;

/** A user; with an organization's id, its active member. */
async function user({ environmentId }: Api, organizationId?: string): Promise<string> {
  const userId = await writeUser(environmentId);
  if (organizationId !== undefined) await writeMembership(environmentId, { userId, organizationId });
  return userId;
}

type Method = 'oauth' | 'api_key' | 'client_credentials';

/** Creates an integration of a provider that no other test uses. @returns its slug */
async function integration({ create }: Api, method: Method, ownership = 'user'): Promise<string> {
  const provider = `tracker-${randomUUID().slice(0, 8)}`;
  await create('/data-integrations', {
    provider,
    ownership,
    enabled: true,
    auth_methods: [method],
    ...(method === 'oauth' ? { credentials: { type: 'custom', client_id: 'id', client_secret: 'a-secret' } } : {}),
    custom_provider: {
      name: 'Tracker',
      authorization_url: 'https://tracker.example/authorize',
      token_url: 'https://tracker.example/token',
    },
  });
  return provider;
}

const readSlug =
  (method: Method, ownership?: string) =>
  async (api: Api): Promise<Members> => ({ slug: await integration(api, method, ownership) });

const userAccount = async (api: Api): Promise<Members> => {
  const [user_id, slug] = [await user(api), await integration(api, 'oauth')];
  await api.create(`/user_management/users/${user_id}/connected_accounts/${slug}`, { access_token: 'a-token' });
  return { user_id, slug };
};

const organizationAccount = async (api: Api): Promise<Members> => {
  const organization_id = await organization(api);
  const [user_id, slug] = [await user(api, organization_id), await integration(api, 'oauth', 'organization')];
  const body = { user_id, access_token: 'a-token' };
  await api.create(`/organizations/${organization_id}/connected_accounts/${slug}`, body);
  return { organization_id, slug };
};

export const pipesSamples: AreaSamples = {
  params: {
    '/data-integrations/{provider}/token': async (api) => ({ provider: await integration(api, 'oauth') }),
    '/data-integrations/{slug}': readSlug('oauth'),
    '/data-integrations/{slug}/organization': readSlug('oauth', 'organization'),
    '/data-integrations/{slug}/api-key': readSlug('api_key'),
    '/data-integrations/{slug}/client-credentials': readSlug('client_credentials'),
    '/data-integrations/{slug}/authorize': readSlug('oauth'),
    '/data-integrations/{slug}/credentials': readSlug('oauth'),
    '/organizations/{organizationId}/data_integration_configurations': async (api) => ({
      organizationId: await organization(api),
    }),
    '/organizations/{organizationId}/data_integration_configurations/{slug}': async (api) => ({
      organizationId: await organization(api),
      slug: await integration(api, 'oauth'),
    }),
    '/organizations/{organization_id}/connected_accounts/{slug}': organizationAccount,
    '/organizations/{organization_id}/data_providers': async (api) => ({ organization_id: await organization(api) }),
    '/user_management/users/{user_id}/connected_accounts/{slug}': userAccount,
    '/user_management/users/{user_id}/data_providers': async (api) => ({ user_id: await user(api) }),
  },
  bodies: {
    'data_integrations.create': async () => ({ provider: 'openai', auth_methods: ['api_key'] }),
    'data_integrations.update': async () => ({ description: 'Ours' }),
    'data_integrations.update_of_organizations': async () => ({ description: 'Ours' }),
    'data_integrations.upsert_api_key': async (api) => ({ user_id: await user(api), secret: 'a-key-of-theirs' }),
    'data_integrations.add_api_key': async (api) => ({
      user_id: await user(api),
      secret: 'a-key-of-theirs',
      connection_intent: 'add',
    }),
    'data_integrations.upsert_client_credentials': async (api) => ({
      user_id: await user(api),
      client_id: 'id',
      client_secret: 'a-secret-of-theirs',
    }),
    'data_integrations.add_client_credentials': async (api) => ({
      user_id: await user(api),
      client_id: 'id',
      client_secret: 'a-secret-of-theirs',
      connection_intent: 'add',
    }),
    'data_integrations.authorize': async (api) => ({ user_id: await user(api) }),
    'data_integrations.finish': async () => ({ connect_code: 'connect_code_none', code_verifier: 'v'.repeat(43) }),
    'data_integrations.vend_credentials': async (api) => ({ user_id: await user(api) }),
    'data_integrations.get_access_token': async (api) => ({ user_id: await user(api) }),
    'data_integration_configurations.configure': async () => ({ enabled: true }),
    'connected_accounts.import_of_user': async () => ({ access_token: 'another-token', connection_intent: 'add' }),
    'connected_accounts.update_of_user': async () => ({ access_token: 'another-token' }),
    'pipes.update_settings': async () => ({ authorization_start: 'confirm', organization_integrations: true }),
  },
};

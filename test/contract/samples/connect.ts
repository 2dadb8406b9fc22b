import { randomUUID } from 'node:crypto';

import { makeClientId } from '../../../functions/kernel/authentication/api-key.ts';
import { writeUser } from '../../support/user-rows.ts';
import { writeConsent, writeExternalAuth } from '../../support/consents.ts';
import { type Api, type AreaSamples, organization } from './sample.ts';

const newApplication = async ({ create }: Api) => {
  const body = { name: 'Web', application_type: 'oauth', is_first_party: true };
  return { id: String((await create('/connect/applications', body)).id) };
};

const server = async ({ environmentId }: Api) => ({ clientId: makeClientId(environmentId) });

/** The credentials of an m2m application, as members of a form. */
async function credentials({ create }: Api): Promise<Record<string, string>> {
  const organizationId = (await create('/organizations', { name: 'Acme' })).id;
  const body = { name: 'Sync', application_type: 'm2m', organization_id: organizationId };
  const { id, client_id: clientId } = await create('/connect/applications', body);
  const { secret } = await create(`/connect/applications/${String(id)}/client_secrets`, {});
  return { client_id: String(clientId), client_secret: String(secret) };
}

export const connectSamples: AreaSamples = {
  params: {
    '/connect/applications/{id}': newApplication,
    '/connect/client_secrets/{id}': async (api) => {
      const { id } = await newApplication(api);
      return { id: String((await api.create(`/connect/applications/${id}/client_secrets`, {})).id) };
    },
    '/oauth2/{clientId}/token': server,
    '/oauth2/{clientId}/introspection': server,
    '/oauth2/{clientId}/revocation': server,
    '/oauth2/{clientId}/jwks': server,
    '/oauth2/{clientId}/authorize': server,
    '/oauth2/{clientId}/par': server,
    '/oauth2/{clientId}/device_authorization': server,
    '/oauth2/{clientId}/end_session': server,
    '/oauth2/{clientId}/userinfo': server,
    '/oauth2/{clientId}/register': server,
    '/oauth2/{clientId}/register/{registeredId}': async (api) => ({
      ...(await server(api)),
      registeredId: String((await newApplication(api)).id),
    }),
    '/.well-known/oauth-authorization-server/user_management/{clientId}': server,
    '/.well-known/openid-configuration/user_management/{clientId}': server,
    '/user_management/{clientId}/.well-known/openid-configuration': server,
    '/organizations/{organization_id}/authorized_applications': async (api) => ({
      organization_id: await organization(api),
    }),
    '/user_management/users/{user_id}/authorized_applications/{application_id}': async (api) => {
      const { id } = await newApplication(api);
      const userId = await writeUser(api.environmentId);
      await writeConsent(api.environmentId, { userId, applicationId: id });
      return { user_id: userId, application_id: id };
    },
    '/user_management/users/{user_id}/authorized_applications': async ({ environmentId }) => ({
      user_id: await writeUser(environmentId),
    }),
  },
  bodies: {
    'connect_applications.create': async () => ({ name: 'Web', application_type: 'oauth', is_first_party: true }),
    'connect_applications.set_keys': async () => ({ jwks: null, jwks_uri: 'https://app.example.com/jwks.json' }),
    'oauth2.token': async (api) => ({ grant_type: 'client_credentials', ...(await credentials(api)) }),
    'oauth2.revocation': async (api) => ({ token: 'unknown', ...(await credentials(api)) }),
    'oauth2.introspection': async (api) => ({ token: 'unknown', ...(await credentials(api)) }),
    'oauth2.par': async ({ create }) => {
      const { client_id: clientId } = await create('/connect/applications', {
        name: 'Web',
        application_type: 'oauth',
        is_first_party: true,
        redirect_uris: [{ uri: 'https://web.example.org/callback' }],
      });
      const challenge = { code_challenge: 'A'.repeat(43), code_challenge_method: 'S256' };
      return { client_id: clientId, response_type: 'code', ...challenge };
    },
    'oauth2.device_authorization': async ({ create }) => {
      const body = { name: 'TV', application_type: 'oauth', is_first_party: true };
      return { client_id: (await create('/connect/applications', body)).client_id };
    },
    'oauth2.register': async ({ send }) => {
      await send('PUT', '/x/connect/settings', { body: JSON.stringify({ registration: 'any' }) });
      return { redirect_uris: ['https://notes.example.org/callback'] };
    },
    'external_auth.complete': async ({ environmentId }) => ({
      external_auth_id: await writeExternalAuth(environmentId),
      user: { id: `shop-${randomUUID()}`, email: `${randomUUID()}@example.com` },
    }),
    'connect_applications.update': async () => ({ name: 'Renamed' }),
  },
  // Any client may fetch the keys and metadata of any environment: keys are created at the first request.
  makes: ['oauth2.jwks', 'oauth2.metadata', 'oauth2.openid_metadata', 'oauth2.openid_metadata_inserted'],
};

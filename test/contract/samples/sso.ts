import { makeClientId } from '../../../functions/kernel/authentication/api-key.ts';
import { testPair } from '../../support/certificates.ts';
import { type Api, type AreaSamples, organization } from './sample.ts';

const samlOptions = () => ({
  idp_entity_id: 'https://idp.acme.example/metadata',
  idp_sso_url: 'https://idp.acme.example/sso',
  idp_signing_certs: [testPair('sample').cert, testPair('another sample').cert],
});

const connection = async (api: Api): Promise<string> => {
  const organization_id = await organization(api);
  return String((await api.create('/connections', { organization_id, saml_options: samlOptions() })).id);
};

/** Creates an attempt: a response to a test sign-in that fails every check. */
const attempt = async (api: Api) => {
  const id = await connection(api);
  const { url } = await api.create(`/x/connections/${id}/test_sign_ins`, {});
  const opened = new URL(String(url));
  const { headers } = await api.send('GET', `${opened.pathname}${opened.search}`);
  const relayState = new URL(headers.location ?? '').searchParams.get('RelayState') ?? '';
  const { external_key: key } = (await api.send('GET', `/x/connections/${id}`)).json as Record<string, string>;
  await api.send('POST', `/sso/saml/acs/${key ?? ''}`, {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ SAMLResponse: 'bm9uZQ==', RelayState: relayState }).toString(),
  });
  const { data } = (await api.send('GET', `/x/connections/${id}/attempts`)).json as { data: { id: string }[] };
  return { id, attempt_id: data[0]?.id ?? '' };
};

const certificate = (kind: string) => async (api: Api) => {
  const connectionId = await connection(api);
  const { id } = await api.create(`/connections/${connectionId}/${kind}`, {});
  return { connectionId, certificateId: String(id) };
};

const ofConnection = async (api: Api) => ({ connectionId: await connection(api) });

export const ssoSamples: AreaSamples = {
  params: {
    '/connections/{id}': async (api) => ({ id: await connection(api) }),
    '/x/connections/{id}/metadata': async (api) => ({ id: await connection(api) }),
    '/x/connections/{id}': async (api) => ({ id: await connection(api) }),
    '/x/connections/{id}/attempts': async (api) => ({ id: await connection(api) }),
    '/x/connections/{id}/attempts/{attempt_id}': attempt,
    '/x/connections/{id}/test_sign_ins': async (api) => ({ id: await connection(api) }),
    '/x/organizations/{organization_id}/sso_policy': async (api) => ({ organization_id: await organization(api) }),
    '/connections/{connectionId}/saml_idp_signing_certs': ofConnection,
    '/connections/{connectionId}/saml_idp_signing_certs/{certificateId}': async (api) => {
      const connectionId = await connection(api);
      const { id } = await api.create(`/connections/${connectionId}/saml_idp_signing_certs`, {
        value: testPair('added').cert,
      });
      return { connectionId, certificateId: String(id) };
    },
    '/connections/{connectionId}/saml_sp_encryption_certs': ofConnection,
    '/connections/{connectionId}/saml_sp_encryption_certs/{certificateId}': certificate('saml_sp_encryption_certs'),
    '/connections/{connectionId}/saml_sp_signing_cert': async (api) => {
      const connectionId = await connection(api);
      await api.create(`/connections/${connectionId}/saml_sp_signing_cert`, {});
      return { connectionId };
    },
    '/connections/{connectionId}/saml_sp_signing_cert/{certificateId}': certificate('saml_sp_signing_cert'),
  },
  bodies: {
    'connections.create': async (api) => ({
      organization_id: await organization(api),
      saml_options: { ...samlOptions(), sp_signing_key_pair: testPair('sp') },
    }),
    'sso.token': async ({ environmentId }) => ({
      client_id: makeClientId(environmentId),
      grant_type: 'authorization_code',
      code: 'sso_code_unknown',
    }),
    'connections.update': async () => ({ name: 'Acme', saml_options: { sp_entity_id: 'urn:acme' } }),
    'saml_sp_encryption_certs.create': async () => ({}),
    'saml_sp_signing_cert.create': async () => ({}),
    'saml_idp_signing_certs.create': async () => ({ value: testPair('added').cert }),
    'sso_connections.create_draft': async (api) => ({ organization_id: await organization(api) }),
    'sso_connections.update': async () => ({ settings: { idp_initiated: 'deny' } }),
  },
};

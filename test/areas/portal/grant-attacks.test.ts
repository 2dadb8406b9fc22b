import { beforeEach, describe, expect, test } from '@jest/globals';

import { createPortalLink } from '../../../functions/faces/console/public.ts';
import {
  OPERATORS_ENVIRONMENT_ID,
  OPERATORS_ORGANIZATION_ID,
} from '../../../functions/kernel/authentication/environment-id.ts';
import { browser, type Page } from '../../support/browser.ts';
import { testPair } from '../../support/certificates.ts';
import { openConsole, openPath } from '../../support/console.ts';
import { type Administrator, openPortal, portalGrant } from '../../support/portal.ts';
import { call, reset } from '../../support/service.ts';
import { environment } from '../../support/users.ts';
import { post, requestIn, respondTo, returnTo } from '../sso/identity-provider.ts';

const ISSUER = 'https://idp.acme.example/portal';

beforeEach(() => reset({ calm: true }));

/** A session of the portal with a grant, and a draft of a connection that is configured. */
async function begin(): Promise<Administrator & { grant: string; id: string; step: Page }> {
  const { body } = await call('POST', '/organizations', {
    name: 'Acme',
    external_id: 'acme-1',
    metadata: { plan: 'enterprise' },
  });
  const admin = await openPortal(String(body.id));
  const tiles = await admin.open('sso');
  const page = await admin.person.submit(tiles, { provider: 'okta' }, 'value="okta"');
  const id = /sso\/(conn_[^/]+)\//.exec(page.url)?.[1] ?? '';
  const values = { idp_entity_id: ISSUER, idp_sso_url: 'https://idp.acme.example/sso', certificate: testPair().cert };
  const step = await admin.person.submit(page, values, 'value="metadata"');
  return { ...admin, id, step, grant: await portalGrant(admin.person, admin.organizationId) };
}

/** Performs a test sign-in that succeeds. */
async function pass({ person, step }: Pick<Administrator, 'person'> & { step: Page }): Promise<void> {
  const request = requestIn((await person.submit(step, { do: 'test' }, 'value="test"')).url);
  const response = await respondTo(request, 'ada@acme.example', { issuer: ISSUER, privateKey: testPair().key });
  await returnTo(person, await post(request.acsUrl, response, request.relayState));
}

const activate = async (grant: string, id: string): Promise<number> =>
  (await call('PATCH', `/x/connections/${id}`, { state: 'active' }, { apiKey: grant })).status;

describe('a leaked grant of the portal', () => {
  test('shows no member of the organization that no page shows', async () => {
    const { grant, organizationId } = await begin();
    const { body } = await call('GET', `/organizations/${organizationId}`, undefined, { apiKey: grant });
    expect(body).toEqual({ id: organizationId, name: 'Acme', domains: [] });
  });

  test('shows no key of a connection, and no policy of it', async () => {
    const { grant, id } = await begin();
    const { body } = await call('GET', `/x/connections/${id}`, undefined, { apiKey: grant });
    expect(Object.keys(body).sort()).toEqual(
      [
        'attribute_maps',
        'connection_type',
        'id',
        'name',
        'oidc_options',
        'saml_options',
        'settings',
        'state',
        'updated_at',
      ].sort(),
    );
    expect(body.settings).toEqual({ group_roles: [] });
  });

  test('changes no policy of a connection or directory', async () => {
    const { grant, id, organizationId } = await begin();
    const before = (await call('GET', `/x/connections/${id}`)).body;
    for (const [path, body] of [
      [`/x/connections/${id}`, { settings: { second_factor: 'trust' } }],
      [`/x/connections/${id}`, { settings: { second_factor_values: ['any'] } }],
      [`/x/connections/${id}`, { settings: { idp_initiated: 'allow' } }],
      [`/x/connections/${id}`, { settings: { return_oauth_tokens: true } }],
      [`/x/connections/${id}`, { external_key: 'the-key-of-another' }],
      [`/connections/${id}`, { name: 'Another' }],
      [`/connections/${id}`, { external_id: 'another' }],
      [`/connections/${id}`, { saml_options: { acs_url: 'https://evil.example/acs' } }],
    ] as const) {
      expect([body, (await call('PATCH', path, body, { apiKey: grant })).status]).toEqual([body, 403]);
    }
    expect((await call('GET', `/x/connections/${id}`)).body).toEqual(before);
    const directory = { organization_id: organizationId, name: 'Acme', provisioning: 'all' };
    expect((await call('POST', '/x/directories', directory, { apiKey: grant })).status).toBe(403);
    const made = await call('POST', '/x/directories', { ...directory, provisioning: 'off' });
    const path = `/x/directories/${String(made.body.id)}`;
    for (const body of [{ provisioning: 'all' }, { inactive_users: 'keep' }, { state: 'unlinked' }]) {
      expect([body, (await call('PATCH', path, body, { apiKey: grant })).status]).toEqual([body, 403]);
    }
    const imported = { value: 'a-token-that-somebody-else-has-chosen' };
    expect((await call('POST', `${path}/tokens`, imported, { apiKey: grant })).status).toBe(403);
    expect((await call('GET', path)).body).toMatchObject({ provisioning: 'off', tokens: [] });
  });

  test('activates no connection without a successful test of exactly its current configuration', async () => {
    const session = await begin();
    const { grant, id } = session;
    expect(await activate(grant, id)).toBe(403);
    await pass(session);
    // The change follows within the same second as the test.
    const maps = { attribute_maps: { standard_attributes: { email: 'mail' } } };
    expect((await call('PATCH', `/connections/${id}`, maps, { apiKey: grant })).status).toBe(200);
    expect(await activate(grant, id)).toBe(403);
    expect((await call('GET', `/x/connections/${id}`)).body.state).toBe('draft');
    const page = await session.open(`sso/${id}/attributes`);
    await session.person.submit(page, { email: '' }, 'name="first_name"');
    await call('PATCH', `/connections/${id}`, { attribute_maps: { standard_attributes: { email: 'email' } } });
    await pass({ ...session, step: await session.open(`sso/${id}/test`) });
    expect(await activate(grant, id)).toBe(200);
  });

  test('deletes no connection that was ever active', async () => {
    const { grant, id } = await begin();
    for (const state of ['active', 'inactive']) {
      expect((await call('PATCH', `/x/connections/${id}`, { state })).status).toBe(200);
      expect((await call('DELETE', `/connections/${id}`, undefined, { apiKey: grant })).status).toBe(403);
    }
    expect((await call('GET', `/x/connections/${id}`)).status).toBe(200);
  });

  test('of a link for certificates changes and shows nothing that only the pages of single sign-on have', async () => {
    const { organizationId } = await begin();
    const { person: other } = await openPortal(organizationId, { intent: 'certificate_renewal' });
    const grant = await portalGrant(other, organizationId);
    const { body } = await call<{ data: { id: string }[] }>('GET', '/connections');
    const id = body.data[0]?.id ?? '';
    const maps = { attribute_maps: { standard_attributes: { email: 'mail' } } };
    expect((await call('PATCH', `/connections/${id}`, maps, { apiKey: grant })).status).toBe(403);
    const saml = { saml_options: { idp_metadata_url: null, idp_entity_id: ISSUER } };
    expect((await call('PATCH', `/connections/${id}`, saml, { apiKey: grant })).status).toBe(200);
    expect(await activate(grant, id)).toBe(403);
    const presented = (await call('GET', `/x/connections/${id}`, undefined, { apiKey: grant })).body;
    expect([presented.settings, presented.attribute_maps]).toEqual([undefined, undefined]);
  });
});

test('no session of the operators’ portal accepts values that replace the second factor, which only AWS rights do', async () => {
  await environment();
  await openConsole();
  const admin = browser();
  const first = await admin.submit(await openPath(admin, await createPortalLink('sso')));
  const page = await admin.submit(first, { provider: 'okta' }, 'value="okta"');
  const id = /sso\/(conn_[^/]+)\//.exec(page.url)?.[1] ?? '';
  const apiKey = await portalGrant(admin, OPERATORS_ORGANIZATION_ID, OPERATORS_ENVIRONMENT_ID);
  const path = `/x/connections/${id}`;
  expect((await call('GET', path, undefined, { apiKey })).status).toBe(200);
  for (const settings of [
    { second_factor_values: ['urn:any'] },
    { second_factor: 'trust' },
    { group_roles: [], second_factor_values: ['urn:any'] },
  ]) {
    expect([settings, (await call('PATCH', path, { settings }, { apiKey })).status]).toEqual([settings, 403]);
  }
});

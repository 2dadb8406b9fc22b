import { beforeEach, describe, expect, test } from '@jest/globals';

import { advance, call, idle, reset, sdk } from '../../support/service.ts';
import { testPair } from '../../support/certificates.ts';
import { type Connection, eventsNamed, organization, rejected, samlConnection, samlOptions } from './support.ts';

beforeEach(() => reset());

interface Page {
  data: Connection[];
  list_metadata: { before: string | null; after: string | null };
}

const list = async (query = ''): Promise<Connection[]> => {
  await idle();
  return (await call<Page>('GET', `/connections?${query}`)).body.data;
};

describe('a new connection', () => {
  test('is active in its own response, has its organization’s verified domains, and emits connection.activated', async () => {
    const id = await organization();
    const made = await samlConnection(id, { name: 'Acme’s Okta 🔑' });
    expect(made).toMatchObject({
      organization_id: id,
      connection_type: 'GenericSAML',
      name: 'Acme’s Okta 🔑',
      state: 'active',
      status: 'linked',
      domains: [{ id: expect.stringMatching(/^conn_domain_/), object: 'connection_domain', domain: 'acme.example' }],
    });
    expect(await sdk().sso.getConnection(made.id)).toMatchObject({ id: made.id, state: 'active', type: 'GenericSAML' });
    await idle();
    const [event] = await eventsNamed('connection.activated');
    expect(event?.data).toMatchObject({ id: made.id, state: 'active', external_key: expect.any(String) });
  });

  test.each([
    ['http://www.okta.com/exk1', 'OktaSAML'],
    ['https://sts.windows.net/0c6f/', 'AzureSAML'],
    ['https://fs.acme.example/adfs/services/trust', 'ADFSSAML'],
    ['https://acme.example/realms/staff', 'KeycloakSAML'],
    ['https://acme.example/other', 'GenericSAML'],
  ])('with the entity id %s has the type %s', async (idp_entity_id, type) => {
    const made = await samlConnection(await organization(), { saml_options: samlOptions({ idp_entity_id }) });
    expect(made.connection_type).toBe(type);
  });

  test('with the external_id of another connection of the organization returns that connection', async () => {
    const [acme, other] = [await organization(), await organization('other.example', 'Other')];
    const first = await samlConnection(acme, { external_id: 'acme-sso' });
    const again = await samlConnection(acme, { external_id: 'acme-sso', name: 'Another name' });
    expect(again).toEqual(first);
    const body = { organization_id: other, external_id: 'acme-sso', saml_options: samlOptions() };
    expect(await rejected('POST', '/connections', body)).toEqual([400, 'external_id_already_in_use']);
  });

  test('is inactive if every certificate of its provider has expired', async () => {
    const saml_options = samlOptions({ idp_signing_certs: [testPair('old', -1).cert] });
    const made = await samlConnection(await organization(), { saml_options });
    expect(made).toMatchObject({ state: 'inactive', status: 'unlinked' });
    await idle();
    expect(await eventsNamed('connection.activated')).toEqual([]);
  });

  test('is rejected with the code of the error, and nothing is created', async () => {
    const organization_id = await organization();
    const pair = testPair('sp');
    const saml = samlOptions();
    const oidc = { discovery_endpoint: 'https://idp.acme.example/.well-known/openid-configuration', client_id: 'us' };
    const cases: [Record<string, unknown>, number, string][] = [
      [
        { saml_options: saml, oidc_options: { ...oidc, client_secret: 's' } },
        400,
        'both_saml_and_oidc_options_provided',
      ],
      [{}, 400, 'connection_type_or_options_required'],
      [{ connection_type: 'OktaSAML' }, 400, 'saml_options_required'],
      [{ connection_type: 'OktaOIDC' }, 400, 'oidc_options_required'],
      [{ connection_type: 'OktaOIDC', saml_options: saml }, 400, 'connection_type_conflicts_with_options'],
      [
        { connection_type: 'AdpOidc', oidc_options: { ...oidc, client_secret: 's' } },
        400,
        'connection_type_not_supported',
      ],
      [{ connection_type: 'GoogleOAuth', saml_options: saml }, 400, 'connection_type_not_supported'],
      [{ saml_options: { ...saml, idp_metadata_url: 'https://a.example/m' } }, 400, 'ambiguous_saml_options'],
      [{ saml_options: { idp_sso_url: 'https://a.example/s' } }, 400, 'incomplete_saml_options'],
      [{ saml_options: { ...saml, idp_signing_certs: ['not a certificate'] } }, 400, 'invalid_certificate'],
      [{ saml_options: { ...saml, idp_sso_url: 'http://10.0.0.1/sso' } }, 422, 'invalid_idp_sso_url'],
      [{ saml_options: { ...saml, acs_url: 'ftp://a.example' } }, 422, 'invalid_request_parameters'],
      [
        { saml_options: { ...saml, sp_signing_key_pair: { ...pair, key: testPair('another').key } } },
        400,
        'key_pair_not_accepted',
      ],
      [{ saml_options: { ...saml, sp_signing_key_pair: { ...pair, cert: 'x' } } }, 400, 'invalid_certificate'],
      [{ saml_options: { idp_metadata_url: 'https://169.254.169.254/latest' } }, 422, 'idp_metadata_fetch_failed'],
      [
        {
          oidc_options: {
            ...oidc,
            discovery_endpoint: 'http://10.0.0.1/.well-known/openid-configuration',
            client_secret: 's',
          },
        },
        400,
        'discovery_endpoint_must_use_https',
      ],
      [{ oidc_options: oidc }, 400, 'client_secret_required'],
      [
        { oidc_options: { ...oidc, token_authentication_method: 'private_key_jwt', client_secret: 's' } },
        400,
        'client_secret_not_accepted',
      ],
      [{ oidc_options: { ...oidc, client_secret: 's', jwt_signing_key_pair: pair } }, 400, 'key_pair_not_accepted'],
      [{ saml_options: saml, external_id: 'é' }, 422, 'invalid_request_parameters'],
    ];
    for (const [members, status, code] of cases) {
      const response = await rejected('POST', '/connections', { organization_id, ...members });
      expect([members, ...response]).toEqual([members, status, code]);
    }
    const missing = { organization_id: 'org_01JXZZZZZZZZZZZZZZZZZZZZZZ', saml_options: saml };
    expect((await rejected('POST', '/connections', missing))[0]).toBe(404);
    expect(await list()).toEqual([]);
  });
});

describe('the list of connections', () => {
  test('filters by type, organization, domain and words of the name, and has pages in the default order `normal`', async () => {
    const [acme, other] = [await organization(), await organization('other.example', 'Other')];
    const okta = { ...samlOptions(), idp_entity_id: 'http://www.okta.com/exk1' };
    const [one, two, three] = [
      await samlConnection(acme, { name: 'First office' }),
      await samlConnection(acme, { name: 'Second office', saml_options: okta }),
      await samlConnection(other, { name: 'Elsewhere' }),
    ];
    const ids = (found: Connection[]) => found.map(({ id }) => id);
    expect(ids(await list())).toEqual([three.id, two.id, one.id]);
    expect(ids(await list('connection_type=OktaSAML'))).toEqual([two.id]);
    expect(ids(await list(`organization_id=${acme}`))).toEqual([two.id, one.id]);
    expect(ids(await list('domain=OTHER.example'))).toEqual([three.id]);
    expect(ids(await list('search=off'))).toEqual([two.id, one.id]);
    expect(ids(await list(`search=second&organization_id=${acme}`))).toEqual([two.id]);
    expect(ids(await list(`organization_id=${acme}&connection_type=GenericSAML`))).toEqual([one.id]);
    const first = await call<Page>('GET', '/connections?limit=2');
    expect(first.body.list_metadata).toEqual({ before: two.id, after: null });
    expect(ids(await list(`limit=2&before=${two.id}`))).toEqual([one.id]);
  });

  test('contains the configured social providers as connections without an organization, under both spellings of a type', async () => {
    await call('PUT', '/x/social/providers/GitHubOAuth', { client_id: 'us', client_secret: 'a-secret' });
    for (const type of ['GithubOAuth', 'GitHubOAuth']) {
      const [found] = await list(`connection_type=${type}`);
      expect(found).toMatchObject({ connection_type: 'GitHubOAuth', state: 'active', domains: [] });
      expect(found).not.toHaveProperty('organization_id');
      expect((await call('GET', `/connections/${found?.id ?? ''}`)).body).toEqual(found);
      expect(await rejected('PATCH', `/connections/${found?.id ?? ''}`, { name: 'x' })).toEqual([
        400,
        'connection_type_not_supported',
      ]);
    }
  });
});

describe('an update of a connection', () => {
  test('changes only the members that it names, resets those that are null, and is shown at /x/connections', async () => {
    const custom = { acs_url: 'https://old.example/acs', sp_entity_id: 'urn:old' };
    const made = await samlConnection(await organization(), {
      external_id: 'one',
      saml_options: samlOptions(custom),
      attribute_maps: {
        standard_attributes: { email: 'mail', groups: 'memberOf' },
        custom_attributes: { a: '1', b: '2' },
      },
    });
    const path = `/connections/${made.id}`;
    const before = (await call('GET', `/x${path}`)).body;
    expect(before).toMatchObject({ saml_options: custom, external_id: 'one' });
    const body = {
      name: 'New',
      external_id: null,
      connection_type: 'GenericSAML',
      saml_options: { acs_url: null },
      attribute_maps: { standard_attributes: { groups: null }, custom_attributes: { a: null, c: '3' } },
    };
    expect((await call('PATCH', path, body)).body).toMatchObject({ name: 'New', state: 'active' });
    expect((await call('GET', `/x${path}`)).body).toMatchObject({
      external_id: null,
      saml_options: { acs_url: expect.stringContaining('/sso/saml/acs/'), sp_entity_id: 'urn:old' },
      attribute_maps: {
        standard_attributes: { email: 'mail', groups: null },
        custom_attributes: { b: '2', c: '3' },
      },
    });
    expect(await list('search=new')).toHaveLength(1);
    expect(await rejected('PATCH', path, { connection_type: 'OktaSAML' })).toEqual([
      422,
      'connection_type_not_updatable',
    ]);
    expect(await rejected('PATCH', path, { connection_type: 'Nothing' })).toEqual([
      400,
      'connection_type_not_supported',
    ]);
    expect(await rejected('PATCH', path, { oidc_options: {} })).toEqual([
      400,
      'connection_type_conflicts_with_options',
    ]);
    expect(await rejected('PATCH', path, { saml_options: {}, oidc_options: {} })).toEqual([
      400,
      'both_saml_and_oidc_options_provided',
    ]);
    const both = { idp_metadata_url: 'https://a.example/m', idp_sso_url: 'https://a.example/s' };
    expect(await rejected('PATCH', path, { saml_options: both })).toEqual([400, 'ambiguous_saml_options']);
  });

  test('disables and enables a connection at /x/connections, with an event each time', async () => {
    const { id } = await samlConnection(await organization());
    for (const state of ['inactive', 'active']) {
      expect((await call('PATCH', `/x/connections/${id}`, { state })).body).toMatchObject({ id, state });
    }
    await idle();
    const names = (await eventsNamed('connection.activated', 'connection.deactivated')).map(({ event }) => event);
    expect(names).toEqual(['connection.activated', 'connection.deactivated', 'connection.activated']);
  });

  test('can import an external_key, which is unique in the stage and must not look like a generated one', async () => {
    const acme = await organization();
    const [one, two] = [await samlConnection(acme), await samlConnection(acme)];
    const path = ({ id }: Connection) => `/x/connections/${id}`;
    const presented = await call<{ external_key: string }>('GET', path(one));
    const imported = await call('PATCH', path(one), { external_key: 'Kept_from-before' });
    expect(imported.body).toMatchObject({
      external_key: 'Kept_from-before',
      saml_options: { acs_url: expect.stringMatching(/\/sso\/saml\/acs\/Kept_from-before$/) },
    });
    expect(await rejected('PATCH', path(two), { external_key: 'Kept_from-before' })).toEqual([
      409,
      'external_key_already_in_use',
    ]);
    expect((await rejected('PATCH', path(two), { external_key: presented.body.external_key.toUpperCase() }))[0]).toBe(
      422,
    );
    await call('PATCH', path(one), { external_key: null });
    expect((await call('PATCH', path(two), { external_key: 'Kept_from-before' })).status).toBe(200);
  });

  test('completes a draft step by step; the connection is active only when it is complete and enabled', async () => {
    const organization_id = await organization();
    const draft = await call<Connection>('POST', '/x/connections', { organization_id });
    expect(draft.body).toMatchObject({ state: 'requires_type', connection_type: 'Pending' });
    const [path, x] = [`/connections/${draft.body.id}`, `/x/connections/${draft.body.id}`];
    expect((await call('PATCH', x, { connection_type: 'OktaSAML' })).body).toMatchObject({ state: 'draft' });
    expect(await rejected('PATCH', x, { state: 'active' })).toEqual([422, 'connection_incomplete']);
    const { idp_entity_id, idp_sso_url } = samlOptions();
    expect((await call('PATCH', path, { saml_options: { idp_entity_id, idp_sso_url } })).status).toBe(200);
    expect((await call('POST', `${path}/saml_idp_signing_certs`, { value: testPair().cert })).status).toBe(201);
    expect((await call('PATCH', x, { state: 'active' })).body).toMatchObject({ state: 'active', status: 'linked' });
    await idle();
    expect(await eventsNamed('connection.activated')).toHaveLength(1);
  });
});

test('a deleted connection emits connection.deleted once, rejects changes while its rows are removed, and then is not found', async () => {
  const organization_id = await organization();
  const { id } = await samlConnection(organization_id, { external_id: 'one' });
  expect((await call('DELETE', `/connections/${id}`)).status).toBe(204);
  const during = await call<Connection>('GET', `/connections/${id}`);
  if (during.status === 200) {
    expect(during.body).toMatchObject({ state: 'deleting', status: 'unlinked' });
    const change = await rejected('PATCH', `/connections/${id}`, { name: 'x' });
    expect([
      [409, 'connection_deletion_in_progress'],
      [404, 'not_found'],
    ]).toContainEqual(change);
  }
  await idle();
  expect((await call('GET', `/connections/${id}`)).status).toBe(404);
  expect(await eventsNamed('connection.deleted', 'connection.deactivated')).toMatchObject([
    { event: 'connection.deleted', data: { id, state: 'deleting' } },
  ]);
  expect(await list()).toEqual([]);
  const repeated = await samlConnection(organization_id, { external_id: 'one' });
  expect(repeated.id).not.toBe(id);
});

test('secrets and private keys are in no response and no event', async () => {
  const organization_id = await organization();
  const pair = testPair('canary');
  const saml_options = samlOptions({ sp_signing_key_pair: pair, sp_encryption_key_pairs: [pair] });
  const { id } = await samlConnection(organization_id, { saml_options });
  await advance(1);
  await idle();
  const texts = await Promise.all(
    [
      `/connections/${id}`,
      `/x/connections/${id}`,
      `/connections/${id}/saml_sp_signing_cert`,
      '/events?events=connection.activated',
    ].map(async (path) => JSON.stringify((await call('GET', path)).body)),
  );
  const secret = pair.key.split('\n')[3] ?? 'none';
  expect(texts.some((text) => text.includes(secret) || text.includes('PRIVATE'))).toBe(false);
});

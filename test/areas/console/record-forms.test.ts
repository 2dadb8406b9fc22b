import { beforeEach, describe, expect, test } from '@jest/globals';

import { act, beginActing, expectConflict, make, read, review, save } from '../../support/console-acts.ts';
import { findChange } from '../../support/console-forms.ts';
import type { Visitor } from '../../support/console-pages.ts';
import { readText } from '../../support/portal.ts';
import { call, idle, reset } from '../../support/service.ts';

let visitor: Visitor;

beforeEach(async () => {
  await reset({ calm: true });
  visitor = await beginActing();
});

describe('a feature flag in the console', () => {
  const FLAG = '/feature-flags/beta';

  test('is made by a form, which keeps its values if the slug is taken', async () => {
    const description = 'Emoji 🚀, \uFFFF and a <b>tag</b>';
    const created = await act(await visitor.open('flags'), 'create-flag', { slug: 'beta', description, enabled: 'on' });
    expect([new URL(created.url).pathname.endsWith('/flags/beta'), readText(created)]).toEqual([
      true,
      expect.stringContaining('The flag is added.'),
    ]);
    expect(await read(FLAG)).toMatchObject({
      slug: 'beta',
      name: 'beta',
      description,
      enabled: true,
      default_value: false,
    });
    const taken = await act(await visitor.open('flags'), 'create-flag', { slug: 'beta', name: 'Second' });
    expect([taken.status, taken.text]).toEqual([422, expect.stringMatching(/name="name"\s+value="Second"/)]);
    const long = await act(await visitor.open('flags'), 'create-flag', {
      slug: 'long',
      description: 'a'.repeat(65_536),
    });
    expect([long.status, readText(long)]).toEqual([422, expect.stringContaining('description')]);
  });

  test('is changed after its differences were shown, and not over a change by another user', async () => {
    await make('/x/feature-flags', { slug: 'beta', tags: ['one'], description: 'First' });
    const page = await visitor.open('flags/beta');
    const changes = { 'm.name': 'Beta', 'm.tags': 'one\ntwo', 'm.default_value': 'on', 'm.description': '' };
    const reviewed = await review(page, 'feature_flags.update', changes);
    const form = readText({ ...reviewed, text: findChange(reviewed, 'feature_flags.update') });
    expect(form).toMatch(/Name\s+beta\s+Beta[^]*Default value\s+No\s+Yes/);
    expect(form).not.toContain('Owner');
    expect(readText(await save(reviewed, 'feature_flags.update'))).toContain('The change is saved.');
    const changed = { name: 'Beta', tags: ['one', 'two'], default_value: true, description: null, owner: null };
    expect(await read(FLAG)).toMatchObject(changed);
    await expectConflict(page, 'feature_flags.update', { 'm.name': 'Late' }, FLAG);
    const empty = await review(await visitor.open('flags/beta'), 'feature_flags.update', { 'm.name': '' });
    expect([empty.status, readText(empty)]).toEqual([422, expect.stringContaining('Name: this cannot be empty.')]);
  });

  test('is enabled and disabled, gets and loses targets, and is deleted by its typed slug', async () => {
    const { id } = await make('/user_management/users', { email: 'ada@acme.example' });
    await make('/x/feature-flags', { slug: 'beta' });
    const enabled = await act(await visitor.open('flags/beta'), 'enable-flag');
    expect(await read(FLAG)).toMatchObject({ enabled: true });
    const first = await act(enabled, 'add-target', { target: id });
    const second = await act(first, 'add-custom-target', { type: 'team', id: '42' });
    const targets = async () =>
      (await call<{ data: { id: string }[] }>('GET', '/x/feature-flags/beta/targets')).body.data.map((each) => each.id);
    expect((await targets()).toSorted()).toEqual(['team/42', id]);
    await act(await act(second, 'remove-custom-target'), 'remove-target');
    expect(await targets()).toEqual([]);
    const unknown = await act(await visitor.open('flags/beta'), 'add-target', { target: 'user_unknown' });
    expect(unknown.status).toBe(422);
    await act(await visitor.open('flags/beta'), 'disable-flag');
    expect(await read(FLAG)).toMatchObject({ enabled: false });
    const wrong = await act(await visitor.open('flags/beta'), 'delete-flag', { typed: 'alpha' });
    expect([wrong.status, (await call('GET', FLAG)).status]).toEqual([422, 200]);
    await act(await visitor.open('flags/beta'), 'delete-flag', { typed: 'beta' });
    expect((await call('GET', FLAG)).status).toBe(404);
  });
});

describe('a role in the console', () => {
  const ROLE = '/authorization/roles/billing';

  test('is made by a form, and its permissions are replaced after the difference was shown', async () => {
    for (const slug of ['read', 'write']) await make('/authorization/permissions', { slug, name: slug });
    const created = await act(await visitor.open('authorization'), 'create-role', { slug: 'billing', name: 'Billing' });
    expect(readText(created)).toContain('The role is added.');
    const reviewed = await review(created, 'roles.set_permissions', { 'm.permissions': 'read\nwrite' });
    expect(findChange(reviewed, 'roles.set_permissions')).toContain('write');
    expect(readText(await save(reviewed, 'roles.set_permissions'))).toContain('The change is saved.');
    const named = await review(await visitor.open('authorization/roles/billing'), 'roles.update', {
      'm.name': 'Bills',
    });
    await save(named, 'roles.update');
    expect(await read(ROLE)).toMatchObject({ name: 'Bills', permissions: ['read', 'write'] });
    const wrong = await save(
      await review(await visitor.open('authorization/roles/billing'), 'roles.set_permissions', {
        'm.permissions': 'read\nunknown',
      }),
      'roles.set_permissions',
    );
    expect([wrong.status, readText(wrong)]).toEqual([422, expect.stringContaining('unknown')]);
  });

  test('keeps what another user changed in between, in either form', async () => {
    for (const slug of ['read', 'write']) await make('/authorization/permissions', { slug, name: slug });
    await make('/authorization/roles', { slug: 'billing', name: 'Billing' });
    const page = await visitor.open('authorization/roles/billing');
    await call('PUT', `${ROLE}/permissions`, { permissions: ['read'] });
    await expectConflict(page, 'roles.set_permissions', { 'm.permissions': 'read\nwrite' }, ROLE);
    await expectConflict(page, 'roles.update', { 'm.name': 'Late' }, ROLE);
  });

  test('becomes the default, and is deleted by its typed slug only after another one did', async () => {
    await make('/authorization/roles', { slug: 'billing', name: 'Billing' });
    const page = await visitor.open('authorization/roles/billing');
    const made = await act(page, 'default-role');
    expect(readText(made)).toContain('New memberships without a role get this one.');
    const kept = await act(page, 'delete-role', { typed: 'billing' });
    expect([kept.status, readText(kept)]).toEqual([422, expect.stringContaining('default role')]);
    await act(await visitor.open('authorization/roles/member'), 'default-role');
    const gone = await act(page, 'delete-role', { typed: 'billing', replacement: 'member' });
    expect([gone.status, (await call('GET', ROLE)).status]).toEqual([200, 404]);
  });
});

describe('a connection in the console', () => {
  let organizationId = '';
  const connection = async (type?: string): Promise<string> =>
    (await make('/x/connections', { organization_id: organizationId, connection_type: type })).id;

  beforeEach(async () => {
    ({ id: organizationId } = await make('/organizations', { name: 'Acme' }));
  });

  test('is made as a draft by a form, and gets its type, its metadata and its name by further ones', async () => {
    const created = await act(await visitor.open('connections'), 'create-connection', { organization: organizationId });
    expect(readText(created)).toContain('The draft is added.');
    const id = new URL(created.url).pathname.split('/').at(-1) ?? '';
    const typed = await review(created, 'sso_connections.update', { 'm.connection_type': 'OktaSAML' });
    await save(typed, 'sso_connections.update');
    expect(await read(`/x/connections/${id}`)).toMatchObject({ connection_type: 'OktaSAML', state: 'draft' });
    const page = await visitor.open(`connections/${id}`);
    const broken = await act(page, 'put-metadata', { metadata: '<xml/>' });
    expect([broken.status, broken.text]).toEqual([422, expect.stringContaining('&lt;xml/&gt;')]);
    const other = await act(await visitor.open('connections'), 'create-connection', { organization: 'org_unknown' });
    expect([other.status, other.text]).toEqual([422, expect.stringContaining('value="org_unknown"')]);
  });

  test('is sent only the members that differ, so that URLs of this service and a metadata URL stay their own', async () => {
    const id = await connection('GenericSAML');
    const path = `/x/connections/${id}`;
    const before = await read(path);
    const page = await visitor.open(`connections/${id}`);
    const form = findChange(page, 'connections.update');
    expect(form).toContain('type="hidden" name="m.oidc_options.client_id"');
    expect(form).toMatch(/SAML options: ACS URL\s+<input\s+name="m.saml_options.acs_url"/i);
    const changes = { 'm.name': 'Acme SAML', 'm.saml_options.idp_entity_id': 'https://idp.example/entity' };
    const reviewed = await review(page, 'connections.update', changes);
    const text = readText({ ...reviewed, text: findChange(reviewed, 'connections.update') });
    expect(text).not.toMatch(/OIDC options|ACS URL|Connection type/);
    expect(readText(await save(reviewed, 'connections.update'))).toContain('The change is saved.');
    const { saml_options: options, updated_at: _, ...rest } = await read(path);
    const { saml_options: former, updated_at: __, ...others } = before;
    expect(rest).toEqual({ ...others, name: 'Acme SAML' });
    expect(options).toEqual({ ...(former as object), idp_entity_id: 'https://idp.example/entity' });
    await expectConflict(page, 'connections.update', { 'm.name': 'Late' }, path);
    await expectConflict(page, 'sso_connections.update', { 'm.settings.second_factor': 'ask' }, path);
  });

  test('loses an attribute that the form no longer names, and keeps the others', async () => {
    const id = await connection('GenericOIDC');
    const maps = { custom_attributes: { team: 'team', floor: 'floor' } };
    await call('PATCH', `/connections/${id}`, { attribute_maps: maps });
    const reviewed = await review(await visitor.open(`connections/${id}`), 'connections.update', {
      'm.attribute_maps.custom_attributes': '{"team":"group"}',
    });
    expect((await save(reviewed, 'connections.update')).status).toBe(200);
    expect(await read(`/x/connections/${id}`)).toMatchObject({
      attribute_maps: { custom_attributes: { team: 'group' } },
    });
    expect(JSON.stringify(await read(`/x/connections/${id}`))).not.toContain('floor');
  });

  test('is deleted by its typed name only', async () => {
    const id = await connection('GenericSAML');
    const page = await visitor.open(`connections/${id}`);
    expect((await act(page, 'delete-connection', { typed: 'Acme Inc' })).status).toBe(422);
    expect(await read(`/x/connections/${id}`)).toMatchObject({ state: 'draft' });
    expect((await act(page, 'delete-connection', { typed: 'Acme' })).status).toBe(200);
    await idle();
    expect((await call('GET', `/x/connections/${id}`)).status).toBe(404);
  });

  test('of a provider of sign-in leads to the page of the provider', async () => {
    await call('PUT', '/x/social/providers/GoogleOAuth', { client_id: 'one', client_secret: 'canary' });
    expect((await visitor.open('connections')).text).toMatch(/href="[^"]+\/providers\/GoogleOAuth"/);
  });
});

describe('an integration of a provider in the console', () => {
  const OWN = '/data-integrations/acme-crm';
  const fields = {
    provider: 'acme-crm',
    custom_name: 'Acme CRM',
    authorization_url: 'https://crm.example/authorize',
    token_url: 'https://crm.example/token',
    credentials: 'custom',
    client_id: 'one',
    client_secret: 'canary-of-creation',
  };

  test('is made by a form, and its secret is replaced in the second step and shown by no page', async () => {
    const incomplete = await act(await visitor.open('pipes'), 'create-integration', { ...fields, token_url: '' });
    expect([incomplete.status, incomplete.text]).toEqual([422, expect.stringContaining('value="Acme CRM"')]);
    const created = await act(incomplete, 'create-integration', fields);
    expect(readText(created)).toContain('The integration is added.');
    const changes = { 'm.enabled': 'on', 'm.custom_provider.token_url': 'https://crm.example/token/2' };
    expect(readText(await review(created, 'data_integrations.update', {}))).toMatch(/Nothing else changes\./);
    const reviewed = await review(created, 'data_integrations.update', changes);
    const saved = await save(reviewed, 'data_integrations.update', {
      'm.credentials.client_secret': 'canary-of-change',
    });
    expect(readText(saved)).toContain('The change is saved.');
    expect(await read(OWN)).toMatchObject({
      enabled: true,
      credentials: { type: 'custom', client_id: 'one', redacted_client_secret: 'ange' },
      custom_provider: { name: 'Acme CRM', token_url: 'https://crm.example/token/2', pkce_enabled: true },
    });
    for (const { text } of [incomplete, created, reviewed, saved]) expect(text).not.toContain('canary-of');
    await expectConflict(created, 'data_integrations.update', { 'm.description': 'Late' }, OWN);
  });

  test('of organizations has its own page and deletion, and that of users stays', async () => {
    await call('PUT', '/x/pipes/settings', { organization_integrations: true });
    for (const ownership of ['user', 'organization']) {
      const integration = { provider: 'acme-crm', ownership, auth_methods: ['api_key'] };
      const custom = ownership === 'user' ? { custom_provider: { name: 'Acme CRM' } } : {};
      await make('/data-integrations', { ...integration, ...custom });
    }
    const page = await visitor.open('pipes/acme-crm/organization');
    expect(page.status).toBe(200);
    expect(findChange(page, 'data_integrations.update_of_organizations')).not.toMatch(/type="text"[^>]*credentials/);
    const other = { description: 'Changed by another user' };
    await call('PUT', `${OWN}/organization`, other);
    const late = { 'm.description': 'Late' };
    await expectConflict(page, 'data_integrations.update_of_organizations', late, `${OWN}/organization`);
    expect((await act(page, 'delete-integration', { typed: 'acme' })).status).toBe(422);
    expect((await act(page, 'delete-integration', { typed: 'acme-crm' })).status).toBe(200);
    const statuses = [(await call('GET', `${OWN}/organization`)).status, (await call('GET', OWN)).status];
    expect(statuses).toEqual([404, 200]);
  });
});

describe('If-Match of flags, roles, permissions, connections, applications and integrations', () => {
  const prepare = async (): Promise<[read: string, method: 'PATCH' | 'PUT', change: string, body: object][]> => {
    const { id: organizationId } = await make('/organizations', { name: 'Acme' });
    await make('/x/feature-flags', { slug: 'beta' });
    await make('/authorization/roles', { slug: 'billing', name: 'Billing' });
    await make('/authorization/permissions', { slug: 'read', name: 'Read' });
    const { id } = await make('/x/connections', { organization_id: organizationId, connection_type: 'GenericSAML' });
    const integration = { provider: 'crm', auth_methods: ['api_key'], custom_provider: { name: 'CRM' } };
    await make('/data-integrations', integration);
    await call('PUT', '/x/pipes/settings', { organization_integrations: true });
    await make('/data-integrations', { provider: 'crm', auth_methods: ['api_key'], ownership: 'organization' });
    const ofOrganization = '/data-integrations/crm/organization';
    const roles = `/authorization/organizations/${organizationId}/roles`;
    await make(roles, { slug: 'org-own', name: 'Own' });
    const own = `${roles}/org-own`;
    const application = { name: 'App', application_type: 'm2m', organization_id: organizationId };
    const keys = `/x/connect/applications/${(await make('/connect/applications', application)).id}/keys`;
    const configuration = `/organizations/${organizationId}/data_integration_configurations/crm`;
    return [
      [own, 'PATCH', own, { name: 'Renamed' }],
      [own, 'PUT', `${own}/permissions`, { permissions: ['read'] }],
      [roles, 'PUT', `${roles}/priority`, { role_slugs: ['org-own', 'billing'] }],
      ['/authorization/roles', 'PUT', '/x/authorization/roles/priority', { role_slugs: ['billing'] }],
      ['/authorization/permissions/read', 'PATCH', '/authorization/permissions/read', { name: 'See' }],
      [keys, 'PUT', keys, { jwks_uri: 'https://app.example/jwks' }],
      [configuration, 'PUT', configuration, { scopes: ['one'] }],
      ['/feature-flags/beta', 'PATCH', '/x/feature-flags/beta', { name: 'Beta' }],
      ['/authorization/roles/billing', 'PATCH', '/authorization/roles/billing', { name: 'Bills' }],
      ['/authorization/roles/billing', 'PUT', '/authorization/roles/billing/permissions', { permissions: ['read'] }],
      [`/x/connections/${id}`, 'PATCH', `/connections/${id}`, { name: 'Renamed' }],
      [`/x/connections/${id}`, 'PATCH', `/x/connections/${id}`, { settings: { second_factor: 'ask' } }],
      ['/data-integrations/crm', 'PUT', '/data-integrations/crm', { description: 'Changed' }],
      [ofOrganization, 'PUT', ofOrganization, { description: 'Changed' }],
    ];
  };

  test('changes the version that it names only, and lets one of two changes at once through', async () => {
    for (const [path, method, change, body] of await prepare()) {
      const { headers } = await call('GET', path);
      const condition = { 'if-match': headers.etag ?? '' };
      expect((await call(method, change, body, { headers: { 'if-match': '"other"' } })).status).toBe(412);
      const sent = [0, 1].map(async () => call(method, change, body, { headers: condition }));
      const statuses = (await Promise.all(sent)).map(({ status }) => status).toSorted();
      expect([change, statuses]).toEqual([change, [200, 412]]);
      expect((await call(method, change, body)).status).toBe(200);
    }
  });
});

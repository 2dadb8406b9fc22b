import { beforeEach, describe, expect, test } from '@jest/globals';

import { act, beginActing, expectConflict, make, read, review, save } from '../../support/console-acts.ts';
import { findChange } from '../../support/console-forms.ts';
import type { Visitor } from '../../support/console-pages.ts';
import { readText } from '../../support/portal.ts';
import { call, idle, messages, reportMail, reset } from '../../support/service.ts';

let visitor: Visitor;

beforeEach(async () => {
  await reset({ calm: true });
  visitor = await beginActing();
});

const newOrganization = async (): Promise<string> => (await make('/organizations', { name: 'Acme' })).id;
const findStatus = async (path: string): Promise<number> => (await call('GET', path)).status;

describe('a secret that an operator types', () => {
  test('is stored in the vault as it was typed, replaced only over the version that was shown, and shown by no page', async () => {
    const value = 'canary 🚀\nsecond line';
    const fields = { name: 'api', value: value.replaceAll('\n', '\r\n'), context: 'team = support' };
    const page = await act(await visitor.open('vault'), 'create-object', fields);
    const id = new URL(page.url).pathname.split('/').at(-1) ?? '';
    const path = `/vault/v1/kv/${id}`;
    expect(await read(path)).toMatchObject({ value, metadata: { context: { team: 'support' } } });
    const taken = await act(await visitor.open('vault'), 'create-object', fields);
    expect([taken.status, taken.text.includes('team = support')]).toEqual([422, true]);
    const replaced = await act(page, 'replace-value', { value: 'canary two' });
    expect(await read(path)).toMatchObject({ value: 'canary two' });
    const late = await act(page, 'replace-value', { value: 'canary three' });
    expect([late.status, await read(path)]).toEqual([422, expect.objectContaining({ value: 'canary two' })]);
    const large = await act(await visitor.open(`vault/${id}`), 'replace-value', { value: 'a'.repeat(262_145) });
    expect(large.status).toBeGreaterThanOrEqual(400);
    for (const { text } of [page, taken, replaced, late]) expect(text).not.toContain('canary');
    expect((await act(page, 'delete-object', { typed: 'ap' })).status).toBe(422);
    expect((await act(page, 'delete-object', { typed: 'api' })).status).toBe(200);
    expect(await findStatus(path)).toBe(404);
  });

  test('is the one of an organization at a provider, which its own form changes and no page shows', async () => {
    const id = await newOrganization();
    const integration = {
      provider: 'acme-crm',
      credentials: { type: 'organization' },
      custom_provider: {
        name: 'Acme CRM',
        authorization_url: 'https://crm.example/authorize',
        token_url: 'https://crm.example/token',
      },
    };
    expect(await make('/data-integrations', integration)).toMatchObject({ slug: 'acme-crm' });
    const path = `/organizations/${id}/data_integration_configurations/acme-crm`;
    expect(await visitor.open(`organizations/${id}/pipes`)).toMatchObject({
      text: expect.stringContaining('/pipes/acme-crm'),
    });
    const page = await visitor.open(`organizations/${id}/pipes/acme-crm`);
    const name = 'data_integration_configurations.configure';
    const reviewed = await review(page, name, { 'm.client_id': 'own' });
    const saved = await save(reviewed, name, { 'm.client_secret': 'canary-of-the-organization' });
    expect(readText(saved)).toContain('The change is saved.');
    expect(await read(path)).toMatchObject({
      credentials: { client_id: 'own', client_secret_last_four: 'tion', has_credentials: true },
    });
    for (const { text } of [reviewed, saved, await visitor.open(`organizations/${id}/pipes/acme-crm`)])
      expect(text).not.toContain('canary');
    await expectConflict(page, name, { 'm.client_id': 'late' }, path);
    expect(await findStatus(path.replace('acme-crm', 'nothing'))).toBe(404);
    expect(await findStatus(path.replace(id, id.replace(/.$/, 'Z')))).toBe(404);
  });

  test('has no field where the integration has one OAuth client for all organizations', async () => {
    const id = await newOrganization();
    await make('/data-integrations', {
      provider: 'acme-crm',
      auth_methods: ['api_key'],
      custom_provider: { name: 'CRM' },
    });
    const page = await visitor.open(`organizations/${id}/pipes/acme-crm`);
    const reviewed = await review(page, 'data_integration_configurations.configure', { 'm.enabled': 'on' });
    expect(findChange(reviewed, 'data_integration_configurations.configure')).not.toContain('type="password"');
  });

  test('is that of an account of a user, which is connected or replaced and not shown', async () => {
    const { id: user } = await make('/user_management/users', { email: 'ada@acme.example' });
    await make('/data-integrations', {
      provider: 'acme-crm',
      auth_methods: ['api_key'],
      custom_provider: { name: 'CRM' },
    });
    const page = await visitor.open('pipes/acme-crm');
    const unknown = await act(page, 'store-api-key', { user: 'user_x', secret: 'canary-of-a-user' });
    expect([unknown.status, unknown.text]).toEqual([422, expect.stringContaining('value="user_x"')]);
    await call('PUT', '/data-integrations/acme-crm', { enabled: true });
    const stored = await act(page, 'store-api-key', { user, secret: 'canary-of-a-user' });
    expect(readText(stored)).toContain('The API key is stored.');
    expect(await read(`/user_management/users/${user}/connected_accounts/acme-crm`)).toMatchObject({
      api_key_last_4: 'user',
    });
    for (const { text } of [unknown, stored]) expect(text).not.toContain('canary');
    expect(stored.text).not.toContain('store-client');
  });

  test('is that of the system to which an audit log is sent, for each kind of system', async () => {
    const id = await newOrganization();
    const path = `/x/organizations/${id}/audit_log_stream`;
    const page = await visitor.open(`organizations/${id}/records`);
    const systems: [Record<string, string>, object][] = [
      [{ type: 'Datadog', secret: 'canary-one' }, { type: 'Datadog' }],
      [{ type: 'Splunk', url: 'https://splunk.example/services/collector', secret: 'canary-two' }, { type: 'Splunk' }],
      [
        { type: 'S3', bucket: 'acme', region: 'eu-central-1', access_key_id: 'AKIA', secret: 'canary-three' },
        { type: 'S3' },
      ],
      [{ type: 'GenericHttps', url: 'https://logs.example/in' }, { type: 'GenericHttps' }],
    ];
    for (const [fields, expected] of systems) {
      const { status, text } = await act(page, 'put-stream', fields);
      expect([status, text.includes('canary'), await read(path)]).toEqual([
        200,
        false,
        expect.objectContaining(expected),
      ]);
    }
    const wrong = await act(page, 'put-stream', { type: 'Splunk', secret: 'canary' });
    expect([wrong.status, readText(wrong)]).toEqual([422, expect.stringContaining('url')]);
    const { destination } = await read(path);
    const set = await visitor.open(`organizations/${id}/records`);
    expect((await act(set, 'delete-stream', { typed: 'logs' })).status).toBe(422);
    expect((await act(set, 'delete-stream', { typed: String(destination) })).status).toBe(200);
    expect(await findStatus(path)).toBe(404);
  });
});

test('an address that mail did not reach gets mails again by the form of its row', async () => {
  const email = 'grace@navy.example';
  await make('/user_management/users', { email });
  await make('/user_management/magic_auth', { email });
  const [mail] = await messages(email);
  await reportMail(mail?.id ?? '', 'bounce');
  await idle();
  const page = await visitor.open('suppressions');
  expect(page.text).toContain(email);
  const lifted = await act(page, 'lift-suppression');
  await idle();
  expect(readText(lifted)).toContain('Mails are sent to the address again.');
  expect((await read(`/x/messages/suppressions?email=${email}`)).data).toEqual([]);
});

describe('a record that is made on a page', () => {
  test('is a key of an organization, shown once, and deleted there', async () => {
    const id = await newOrganization();
    const made = await act(await visitor.open(`organizations/${id}`), 'create-owned-key', { name: 'CI' });
    const value = /it is shown only here[^]*?<code class="id">([^<]+)<\/code>/.exec(made.text)?.[1] ?? '';
    const validate = async () =>
      (await call<{ api_key: object | null }>('POST', '/api_keys/validations', { value })).body;
    expect((await validate()).api_key).not.toBeNull();
    const page = await visitor.open(`organizations/${id}`);
    expect(page.text).not.toContain(value);
    await act(page, 'delete-owned-key');
    await idle();
    expect(((await read(`/organizations/${id}/api_keys`)) as { data: unknown[] }).data).toEqual([]);
  });

  test('is a domain of an organization, which is verified and removed by its typed name', async () => {
    const id = await newOrganization();
    const listDomains = async () => ((await read(`/organizations/${id}`)) as { domains: { domain: string }[] }).domains;
    const wrong = await act(await visitor.open(`organizations/${id}`), 'add-domain', { domain: 'no domain' });
    expect([wrong.status, wrong.text]).toEqual([422, expect.stringContaining('value="no domain"')]);
    const page = await act(await visitor.open(`organizations/${id}`), 'add-domain', { domain: 'acme.example' });
    expect(await listDomains()).toMatchObject([{ domain: 'acme.example' }]);
    expect((await act(page, 'verify-domain')).status).toBe(200);
    expect((await act(page, 'remove-domain', { typed: 'acme' })).status).toBe(422);
    await act(page, 'remove-domain', { typed: 'acme.example' });
    expect(await listDomains()).toEqual([]);
  });

  test('is a blueprint of agents, a resource server or an entry of Radar', async () => {
    const blueprint = await act(await visitor.open('agents'), 'create-blueprint', { name: 'Support' });
    const id = new URL(blueprint.url).pathname.split('/').at(-1) ?? '';
    expect(await read(`/agents/blueprints/${id}`)).toMatchObject({ name: 'Support', permissions: [] });
    expect((await act(blueprint, 'delete-blueprint', { typed: 'Support' })).status).toBe(200);
    expect(await findStatus(`/agents/blueprints/${id}`)).toBe(404);
    const uri = 'https://mcp.example/mcp';
    const listUris = async () =>
      ((await read('/user_management/hosted_oauth_resources')) as { data: { uri: string }[] }).data.map(
        (each) => each.uri,
      );
    const server = await act(await visitor.open('oauth-resources'), 'add-resource', { uri });
    expect(await listUris()).toEqual([uri]);
    await act(server, 'remove-resource');
    expect(await listUris()).toEqual([]);
    const entry = { type: 'domain', entry: 'mail.example', list: 'block' };
    const radar = await act(await visitor.open('radar'), 'add-entry', entry);
    expect(readText(radar)).toMatch(/mail\.example\s+block/);
    expect(readText(await act(radar, 'remove-entry'))).not.toMatch(/mail\.example\s+block/);
  });

  test('is a setting that had no form: the keys of the vault, the delay of resets, and the default rules of Radar', async () => {
    const settings = await visitor.open('other-settings');
    const vault = await review(settings, 'vault.settings.put', { 'm.organization_keys': 'dedicated' });
    await save(vault, 'vault.settings.put');
    expect(await read('/x/vault/settings')).toMatchObject({ organization_keys: 'dedicated' });
    const resets = 'factor_resets.update_settings';
    await save(await review(await visitor.open('sign-in-settings'), resets, { 'm.delay_hours': '24' }), resets);
    expect(await read('/x/account/factor_resets/settings')).toMatchObject({ delay_hours: 24 });
    const rules = 'radar.put_rules';
    await save(await review(await visitor.open('radar'), rules, { 'm.controls.stale_account.mode': 'block' }), rules);
    expect(await read('/x/radar/rules')).toMatchObject({ is_default: false });
    expect((await act(await visitor.open('radar'), 'reset-rules', { typed: 'default rules' })).status).toBe(200);
    expect(await read('/x/radar/rules')).toMatchObject({ is_default: true });
  });
});

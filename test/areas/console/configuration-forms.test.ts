import { beforeEach, describe, expect, test } from '@jest/globals';

import type { Page } from '../../support/browser.ts';
import { act, beginActing, expectConflict, make, read, review, save } from '../../support/console-acts.ts';
import { findChange } from '../../support/console-forms.ts';
import type { Visitor } from '../../support/console-pages.ts';
import { testPair } from '../../support/certificates.ts';
import { readText } from '../../support/portal.ts';
import { advance, call, idle, reset } from '../../support/service.ts';

let visitor: Visitor;

beforeEach(async () => {
  await reset({ calm: true });
  visitor = await beginActing();
});

const newOrganization = async (): Promise<string> => (await make('/organizations', { name: 'Acme' })).id;
const open = async (path: string): Promise<Page> => visitor.open(path);
const findStatus = async (path: string): Promise<number> => (await call('GET', path)).status;

/** Deletes a record by the form of its page: only by its typed name. */
async function expectDeletion(page: Page, name: string, typed: string, path: string): Promise<Page> {
  expect([(await act(page, name, { typed: 'another name' })).status, await findStatus(path)]).toEqual([422, 200]);
  const gone = await act(page, name, { typed });
  await idle();
  expect([gone.status, await findStatus(path)]).toEqual([200, 404]);
  return gone;
}

/** The value that a page shows once. */
const readOnce = (page: Page): string =>
  /it is shown only here[^]*?<code class="id">([^<]+)<\/code>/.exec(page.text)?.[1] ?? '';

describe('a role that only one organization has', () => {
  test('is made, changed with its permissions, and deleted by its typed slug, but not over another change', async () => {
    const id = await newOrganization();
    const path = `/authorization/organizations/${id}/roles/org-billing`;
    for (const slug of ['read', 'write']) await make('/authorization/permissions', { slug, name: slug });
    const fields = { slug: 'org-billing', name: 'Billing 🧾', description: 'For\uFFFFone' };
    const created = await act(await open(`organizations/${id}/roles`), 'create-own-role', fields);
    expect(readText(created)).toContain('The role is added.');
    const taken = await act(await open(`organizations/${id}/roles`), 'create-own-role', fields);
    expect([taken.status, taken.text]).toEqual([422, expect.stringMatching(/name="name"\s+value="Billing 🧾"/)]);
    const reviewed = await review(created, 'organization_roles.set_permissions', { 'm.permissions': 'read\nwrite' });
    expect(findChange(reviewed, 'organization_roles.set_permissions')).toContain('write');
    await save(reviewed, 'organization_roles.set_permissions');
    expect(await read(path)).toMatchObject({ ...fields, permissions: ['read', 'write'], type: 'OrganizationRole' });
    await expectConflict(created, 'organization_roles.set_permissions', { 'm.permissions': 'read' }, path);
    await expectConflict(created, 'organization_roles.update', { 'm.name': 'Late' }, path);
    const unknown = await review(
      await open(`organizations/${id}/roles/org-billing`),
      'organization_roles.set_permissions',
      {
        'm.permissions': 'read\nunknown',
      },
    );
    expect(readText(await save(unknown, 'organization_roles.set_permissions'))).toContain('unknown');
    await expectDeletion(created, 'delete-own-role', 'org-billing', path);
  });

  test('stays while it is the default or a membership has it, and the page gives the reason', async () => {
    const id = await newOrganization();
    const roles = `/authorization/organizations/${id}/roles`;
    await make(roles, { slug: 'org-billing', name: 'Billing' });
    const { id: userId } = await make('/user_management/users', { email: 'ada@acme.example' });
    await make('/user_management/organization_memberships', {
      user_id: userId,
      organization_id: id,
      role_slug: 'org-billing',
    });
    const page = await open(`organizations/${id}/roles/org-billing`);
    const held = await act(page, 'delete-own-role', { typed: 'org-billing' });
    expect([held.status, readText(held)]).toEqual([422, expect.stringContaining('Memberships have the role')]);
    const list = await open(`organizations/${id}/roles`);
    expect((await act(list, 'default-own-role', { slug: 'org-billing' })).status).toBe(200);
    expect(readText(await act(page, 'delete-own-role', { typed: 'org-billing' }))).toContain('default');
  });

  test('gets its place in the order of priority, which another user did not change in between', async () => {
    const id = await newOrganization();
    const roles = `/authorization/organizations/${id}/roles`;
    for (const slug of ['org-one', 'org-two']) await make(roles, { slug, name: slug });
    const listSlugs = async () => (await read(roles)).data as { slug: string }[];
    const page = await open(`organizations/${id}/roles`);
    const order = { 'm.role_slugs': 'org-two\norg-one\nmember' };
    const saved = await save(
      await review(page, 'organization_roles.set_priority', order),
      'organization_roles.set_priority',
    );
    expect(readText(saved)).toContain('The change is saved.');
    expect((await listSlugs()).map(({ slug }) => slug).slice(0, 3)).toEqual(['org-two', 'org-one', 'member']);
    await expectConflict(page, 'organization_roles.set_priority', { 'm.role_slugs': 'member' }, roles);
  });
});

describe('the authorization model', () => {
  test('has an order of its roles, which is not changed over another change, nor by an unknown slug', async () => {
    for (const slug of ['one', 'two']) await make('/authorization/roles', { slug, name: slug });
    const page = await open('authorization');
    const order = await review(page, 'roles.set_priority', { 'm.role_slugs': 'two\none\nmember' });
    expect(readText(await save(order, 'roles.set_priority'))).toContain('The change is saved.');
    const { data } = (await read('/authorization/roles')) as { data: { slug: string }[] };
    expect(data.map(({ slug }) => slug).slice(0, 3)).toEqual(['two', 'one', 'member']);
    await expectConflict(page, 'roles.set_priority', { 'm.role_slugs': 'member' }, '/authorization/roles');
    const wrong = await review(await open('authorization'), 'roles.set_priority', { 'm.role_slugs': 'nobody' });
    const rejected = wrong.status === 422 ? wrong : await save(wrong, 'roles.set_priority');
    expect([rejected.status, readText(rejected)]).toEqual([422, expect.stringContaining('role_slugs')]);
  });

  test('gets permissions by a form, which are changed and deleted on their page', async () => {
    const path = '/authorization/permissions/invoices:read';
    const fields = { slug: 'invoices:read', name: 'Read invoices' };
    const created = await act(await open('authorization'), 'create-permission', fields);
    expect(readText(created)).toContain('The permission is added.');
    await save(await review(created, 'permissions.update', { 'm.name': 'See invoices' }), 'permissions.update');
    expect(await read(path)).toMatchObject({ ...fields, name: 'See invoices' });
    await expectConflict(created, 'permissions.update', { 'm.name': 'Late' }, path);
    await expectDeletion(created, 'delete-permission', 'invoices:read', path);
  });
});

describe('the certificates and keys of a SAML connection', () => {
  const begin = async () => {
    const organization = { organization_id: await newOrganization(), connection_type: 'GenericSAML' };
    const { id } = await make('/x/connections', organization);
    return { id, page: await open(`connections/${id}/certificates`) };
  };
  const list = async (id: string, resource: string) =>
    ((await read(`/connections/${id}/${resource}`)) as { data: { id: string; value: string }[] }).data;

  test('get further certificates of the identity provider, of which the last one stays', async () => {
    const { id, page } = await begin();
    const wrong = await act(page, 'add-idp-certificate', { value: 'no certificate' });
    expect([wrong.status, wrong.text]).toEqual([422, expect.stringContaining('no certificate')]);
    const [first, second] = [testPair('idp').cert, testPair('next').cert];
    await act(page, 'add-idp-certificate', { value: first });
    const two = await act(page, 'add-idp-certificate', { value: second.replaceAll('\n', '\r\n') });
    const [one, other] = await list(id, 'saml_idp_signing_certs');
    expect([one?.value.trim(), other?.value.trim()]).toEqual([first.trim(), second.trim()]);
    const remove = async (certificate = '', typed = certificate) =>
      act(two, 'delete-idp-certificate', { id: certificate, typed });
    expect((await act(two, 'delete-idp-certificate', { typed: 'x' })).status).toBe(422);
    expect((await remove(one?.id)).status).toBe(200);
    expect(await list(id, 'saml_idp_signing_certs')).toHaveLength(1);
  });

  test('have key pairs that are generated or brought, and no page shows a private key', async () => {
    const { id, page } = await begin();
    const { key, cert } = testPair('service');
    const half = await act(page, 'create-signing-pair', { key });
    expect([half.status, half.text.includes('BEGIN PRIVATE KEY')]).toEqual([422, false]);
    const signed = await act(page, 'create-signing-pair', { key, cert });
    expect(await read(`/connections/${id}/saml_sp_signing_cert`)).toMatchObject({ value: cert.trim() });
    const { id: certificate } = (await read(`/connections/${id}/saml_sp_signing_cert`)) as { id: string };
    const gone = await act(signed, 'delete-signing-pair', { id: certificate, typed: certificate });
    expect([gone.status, await findStatus(`/connections/${id}/saml_sp_signing_cert`)]).toEqual([200, 404]);
    const encrypting = await act(page, 'create-encryption-pair');
    const before = await list(id, 'saml_sp_encryption_certs');
    const both = await act(encrypting, 'create-encryption-pair');
    const after = await list(id, 'saml_sp_encryption_certs');
    expect(after).toHaveLength(before.length + 1);
    const typed = after[0]?.id ?? '';
    expect((await act(both, 'delete-encryption-pair', { typed })).status).toBe(200);
    expect(await list(id, 'saml_sp_encryption_certs')).toHaveLength(before.length);
    for (const { text } of [signed, gone, encrypting, both]) expect(text).not.toContain('PRIVATE KEY');
  });

  test('are tested by an address that the page shows, also for a draft', async () => {
    const { id } = await begin();
    await call('PATCH', `/connections/${id}`, {
      saml_options: { idp_entity_id: 'https://idp.example', idp_sso_url: 'https://idp.example/sso' },
    });
    await act(await open(`connections/${id}/certificates`), 'add-idp-certificate', { value: testPair('idp').cert });
    const page = await act(await open(`connections/${id}`), 'test-sign-in');
    expect([page.status, readText(page)]).toEqual([200, expect.stringContaining('The test is prepared.')]);
    expect(page.text).toMatch(/<code class="id">http[^<]+<\/code>/);
  });
});

describe('an endpoint', () => {
  test('of webhooks shows its secret once, rotates it, and is deleted by its typed address', async () => {
    const fields = { url: 'https://hooks.example/in', events: 'user.created\r\nuser.updated' };
    const wrong = await act(await open('webhooks'), 'create-webhook', { ...fields, events: 'user.nothing' });
    expect([wrong.status, wrong.text]).toEqual([422, expect.stringContaining('user.nothing')]);
    const created = await act(await open('webhooks'), 'create-webhook', fields);
    const { data } = (await read('/webhook_endpoints')) as { data: { id: string; secret: string; events: string[] }[] };
    const [{ id = '', secret = '', events = [] } = {}] = data;
    expect([readOnce(created), events]).toEqual([secret, ['user.created', 'user.updated']]);
    const page = await open(`webhooks/${id}`);
    expect(page.text).not.toContain(secret);
    const rotated = await act(page, 'webhook_endpoints-rotate', { hours: '1' });
    expect(readOnce(rotated)).not.toBe('');
    const during = await open(`webhooks/${id}`);
    expect([during.text.includes(readOnce(rotated)), readText(during)]).toEqual([
      false,
      expect.stringContaining('A rotation is in progress'),
    ]);
    await act(during, 'webhook_endpoints-promote');
    const after = ((await read('/webhook_endpoints')) as { data: { secret: string }[] }).data;
    expect(after[0]?.secret).toBe(readOnce(rotated));
    const remove = async (typed: string) => act(await open(`webhooks/${id}`), 'webhook_endpoints-delete', { typed });
    expect([(await remove('hooks')).status, (await remove(fields.url)).status]).toEqual([422, 200]);
    expect(((await read('/webhook_endpoints')) as { data: unknown[] }).data).toEqual([]);
  });

  test('of actions shows its secret once, is tested, and is deleted by its typed address', async () => {
    const fields = { url: 'https://hooks.invalid/act', type: 'user_registration', failure: 'allow' };
    const created = await act(await open('actions'), 'create-action', fields);
    const { data } = (await read('/x/actions/endpoints')) as { data: { id: string; secret: string }[] };
    const [{ id = '', secret = '' } = {}] = data;
    expect(readOnce(created)).toBe(secret);
    const path = `/x/actions/endpoints/${id}`;
    expect(await read(path)).toMatchObject({ type: 'user_registration', on_failure: 'allow' });
    const page = await open(`actions/${id}`);
    expect(readText(await act(page, 'test-action'))).toMatch(/Result of the test[^]*Verdict/);
    const rotated = await act(page, 'action_endpoints-rotate', { hours: '24' });
    expect(await read(path)).toMatchObject({ next_secret: readOnce(rotated) });
    await act(await open(`actions/${id}`), 'action_endpoints-promote');
    expect(await read(path)).toMatchObject({ secret: readOnce(rotated), next_secret: null });
    await expectDeletion(page, 'action_endpoints-delete', fields.url, path);
  });
});

describe('sign-in by others', () => {
  test('has directories, whose tokens are shown once and are rejected after their deletion', async () => {
    const organization = await newOrganization();
    const wrong = await act(await open('directories'), 'create-directory', { organization: 'org_x', name: 'HR' });
    expect([wrong.status, wrong.text]).toEqual([422, expect.stringContaining('value="org_x"')]);
    const page = await act(await open('directories'), 'create-directory', { organization, name: 'HR' });
    const id = new URL(page.url).pathname.split('/').at(-1) ?? '';
    const token = readOnce(await act(page, 'create-token'));
    const { scim_url: url } = (await read(`/x/directories/${id}`)) as { scim_url: string };
    const ask = async () => (await call('GET', `${new URL(url).pathname}/Users`, undefined, { apiKey: token })).status;
    expect(await ask()).toBe(200);
    const listed = await open(`directories/${id}`);
    expect([listed.text.includes(token), listed.text.includes(`…${token.slice(-4)}`)]).toEqual([false, true]);
    expect((await act(listed, 'delete-token', { typed: token.slice(-4) })).status).toBe(200);
    await advance(6);
    expect(await ask()).toBe(401);
    await expectDeletion(page, 'delete-directory', 'HR', `/x/directories/${id}`);
  });

  test('has applications, whose client secrets are shown once and whose keys are not changed over another change', async () => {
    const fields = { name: 'Reporting', type: 'first_party', uris: 'https://a.example/in\r\nhttps://b.example/in' };
    const page = await act(await open('applications'), 'create-application', fields);
    const id = new URL(page.url).pathname.split('/').at(-1) ?? '';
    const path = `/connect/applications/${id}`;
    expect(await read(path)).toMatchObject({
      is_first_party: true,
      redirect_uris: [
        { uri: 'https://a.example/in', default: true },
        { uri: 'https://b.example/in', default: false },
      ],
    });
    const made = await act(page, 'create-secret');
    const hint = readOnce(made).slice(-4);
    const listed = await open(`applications/${id}`);
    expect([listed.text.includes(readOnce(made)), listed.text.includes(`…${hint}`)]).toEqual([false, true]);
    expect((await act(listed, 'delete-secret', { typed: hint })).status).toBe(200);
    expect((await call('GET', `${path}/client_secrets`)).body).toEqual([]);
    const keys = { 'm.jwks_uri': 'https://app.example/jwks' };
    const name = 'connect_applications.set_keys';
    await save(await review(page, name, keys), name);
    expect(await read(`/x${path}/keys`)).toEqual({ jwks: null, jwks_uri: 'https://app.example/jwks' });
    await expectConflict(page, name, { 'm.jwks_uri': 'https://late.example/jwks' }, `/x${path}/keys`);
    await expectDeletion(page, 'delete-application', 'Reporting', path);
    const machine = { name: 'Machine', type: 'm2m', organization: await newOrganization() };
    expect(readText(await act(await open('applications'), 'create-application', machine))).toContain('is added');
  });

  test('has providers, which a second form of the same provider does not replace', async () => {
    const path = '/x/social/providers/GoogleOAuth';
    const fields = { provider: 'GoogleOAuth', client_id: 'one', client_secret: 'canary-of-the-form' };
    const page = await act(await open('providers'), 'add-provider', fields);
    expect(await read(path)).toMatchObject({ client_id: 'one', enabled: true });
    const again = await act(await open('providers'), 'add-provider', { ...fields, client_id: 'two' });
    expect([again.status, readText(again)]).toEqual([422, expect.stringContaining('is set up already')]);
    expect(await read(path)).toMatchObject({ client_id: 'one' });
    for (const { text } of [page, again]) expect(text).not.toContain('canary-of');
    const { name } = (await read(path)) as { name: string };
    await expectDeletion(page, 'delete-provider', name, path);
  });
});

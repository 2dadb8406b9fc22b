import { beforeEach, expect, test } from '@jest/globals';

import { newOrganization } from '../../support/organizations.ts';
import { openPortal, readText } from '../../support/portal.ts';
import { call, idle, reset } from '../../support/service.ts';

interface Directory {
  id: string;
  state: string;
  type: string;
  scim_url: string;
  tokens: { token_suffix: string }[];
  custom_attributes: Record<string, string | null>;
  group_roles: unknown[];
}

const dsync = { intent: 'dsync' };
const USER = 'urn:ietf:params:scim:schemas:core:2.0:User';

const readDirectory = async (id: string): Promise<Directory> =>
  (await call<Directory>('GET', `/x/directories/${id}`)).body;

async function begin(provider = 'okta') {
  const organizationId = await newOrganization();
  const admin = await openPortal(organizationId, dsync);
  const page = await admin.person.submit(admin.first, { provider }, `value="${provider}"`);
  const id = /directories\/(directory_[^/]+)\/connect/.exec(page.url)?.[1] ?? '';
  return { ...admin, page, id };
}

beforeEach(() => reset({ calm: true }));

test('an administrator sees the URL, sees the token once, and then sees the first call of the provider', async () => {
  const { person, page, id, open } = await begin();
  const directory = await readDirectory(id);
  expect(directory).toMatchObject({ state: 'validating', type: 'okta scim v2.0', tokens: [] });
  expect(page.text).toContain(directory.scim_url);
  expect(page.text).not.toContain('data-reload');
  const made = await person.submit(page, { do: 'token' }, 'value="token"');
  const token = /data-copy="([^"]{32,})" data-copied/.exec(made.text)?.[1] ?? '';
  expect(readText(made)).toContain('It is shown only once.');
  const { tokens } = await readDirectory(id);
  expect(tokens).toEqual([expect.objectContaining({ token_suffix: token.slice(-4) })]);
  const waiting = await open(`directories/${id}/connect`);
  expect(waiting.text).not.toContain(token);
  expect(waiting.text).toContain('data-reload="5"');
  const user = { schemas: [USER], userName: 'ada@acme.example', name: { givenName: 'Ada', familyName: 'Lovelace' } };
  const { pathname } = new URL(directory.scim_url);
  const emails = [{ value: 'ada@acme.example', primary: true }];
  const response = await call('POST', `${pathname}/Users`, { ...user, emails }, { apiKey: token });
  expect(response.status).toBe(201);
  await idle();
  const called = await open(`directories/${id}/connect`);
  expect(called.text).not.toContain('data-reload');
  expect(readText(called)).toContain('Your provider has called');
  expect(readText(called)).toContain('Ada Lovelace');
  expect(readText(called)).toContain('Users: 1, groups: 0');
  await person.submit(called, { do: 'revoke' }, 'value="revoke"');
  expect((await readDirectory(id)).tokens).toEqual([]);
});

test('the directory pages of the portal save custom attributes and the roles of groups, and show an alert for an invalid attribute path', async () => {
  await call('POST', '/authorization/roles', { slug: 'engineer', name: 'Engineer' });
  const { person, id, open } = await begin('entra');
  const attributes = await open(`directories/${id}/attributes`);
  const wrong = await person.submit(attributes, { new_name: 'cost_center', new_path: 'a b [' }, 'value="attributes"');
  expect([wrong.status, wrong.text.includes('role="alert"')]).toEqual([400, true]);
  const saved = await person.submit(attributes, { new_name: 'nick', new_path: 'nickName' }, 'value="attributes"');
  expect(readText(saved)).toContain('Your changes are saved.');
  expect((await readDirectory(id)).custom_attributes).toMatchObject({ nick: 'nickName' });
  await person.submit(saved, { attribute_nick: '' }, 'value="attributes"');
  expect((await readDirectory(id)).custom_attributes.nick ?? null).toBeNull();
  const roles = await open(`directories/${id}/roles`);
  await person.submit(roles, { group_0: 'Engineering', role_0: 'engineer' }, 'value="roles"');
  expect((await readDirectory(id)).group_roles).toEqual([{ group: 'Engineering', role_slug: 'engineer' }]);
});

test('directories of another organization, and steps that do not exist, are not found', async () => {
  const { body } = await call<Directory>('POST', '/x/directories', {
    organization_id: await newOrganization('Theirs'),
    name: 'Theirs',
  });
  const { person, page, id, open } = await begin();
  for (const step of ['connect', 'attributes', 'roles']) {
    expect([step, (await open(`directories/${body.id}/${step}`)).status]).toEqual([step, 404]);
  }
  expect((await open(`directories/${id}/everything`)).status).toBe(404);
  const stolen = { ...page, text: page.text.replaceAll(id, body.id) };
  expect((await person.submit(stolen, { do: 'token' }, 'value="token"')).status).toBe(404);
  expect((await readDirectory(body.id)).tokens).toEqual([]);
});

import { beforeEach, describe, expect, test } from '@jest/globals';

import { OPERATORS_ENVIRONMENT_ID } from '../../../functions/kernel/authentication/environment-id.ts';
import { browser, type Browser, type Page } from '../../support/browser.ts';
import { openPath } from '../../support/console.ts';
import { consolePath, visitConsole, type Visitor } from '../../support/console-pages.ts';
import { newOrganization } from '../../support/organizations.ts';
import { openLink } from '../../support/operators.ts';
import { readText } from '../../support/portal.ts';
import { advance, call, idle, reset } from '../../support/service.ts';
import { addUser } from '../../support/users.ts';

const REASON = { reason: 'Ticket 4711: review' };
const home = `/console/e/${OPERATORS_ENVIRONMENT_ID}`;

let visitor: Visitor;
beforeEach(async () => {
  await reset({ calm: true });
  visitor = await visitConsole();
});

/** Signs a further operator in, with a role for all environments. */
async function signIn(email: string, role: string): Promise<Browser> {
  const person = browser();
  await openLink(email, role, person);
  return person;
}

const atHome = async (path: string, person = visitor.person): Promise<Page> => openPath(person, `${home}/${path}`);
const submit = async (path: string, name: string, fields: Record<string, string> = {}): Promise<Page> =>
  visitor.person.submit(await visitor.open(path), { ...REASON, ...fields }, `value="${name}"`);

/** The names of the operations in the rows of the log. */
const listOperations = ({ text }: Page): string[] => [
  ...new Set([...text.matchAll(/action=([a-z_.]+)"/g)].map(([, name = '']) => name)),
];

describe('the log of operators', () => {
  test('shows owners every act with operator, environment, record, reason and outcome', async () => {
    const id = await newOrganization('Acme');
    await submit('keys', 'create-key', { name: 'Back end' });
    await submit(`organizations/${id}`, 'delete-organization', { typed: 'Acme' });
    await idle();
    const page = await atHome('log');
    expect(listOperations(page)).toEqual(
      expect.arrayContaining(['environment_api_keys.create', 'organizations.delete']),
    );
    for (const part of ['owner@gatehouse.example', 'Ticket 4711: review', 'proposed', 'done', 'Local', id])
      expect([part, readText(page).includes(part)]).toEqual([part, true]);
  });

  test('is filtered by operator, operation, environment and time', async () => {
    await submit('keys', 'create-key', { name: 'Back end' });
    await advance(7_200);
    const later = browser();
    await openLink('grace@acme.example', 'owner', later);
    const keys = await openPath(later, await consolePath('keys'));
    await later.submit(keys, { ...REASON, name: 'Worker' }, 'value="create-key"');
    await idle();
    visitor = { ...visitor, person: later };
    const own = /actor_id=(user_[0-9A-Z]+)/.exec((await atHome('log')).text)?.[1] ?? '';
    const count = async (query: string): Promise<number> =>
      (await atHome(`log?${query}`)).text.match(/data-l="Operation"/g)?.length ?? 0;
    const environment = (await consolePath()).split('/')[3] ?? '';
    const all = await count('action=environment_api_keys.create');
    expect([all, await count(`action=environment_api_keys.create&actor_id=${own}`)]).toEqual([2, 1]);
    expect(await count(`action=environment_api_keys.create&target=${environment}`)).toBe(2);
    expect(await count('action=environment_api_keys.create&target=environment_00000000000000000000000009')).toBe(0);
    const line = /<time datetime="([^"]+)"/.exec((await atHome(`log?actor_id=${own}`)).text)?.[1] ?? '';
    const before = new Date(Date.parse(line) - 3_600_000).toISOString();
    expect(await count(`action=environment_api_keys.create&range_start=${before}`)).toBe(1);
    expect(await count(`action=environment_api_keys.create&range_end=${before}`)).toBe(1);
    expect(await count('range_start=yesterday')).toBe(0);
  });

  test('and the list of operators do not exist for those who are no owners, nor in another environment', async () => {
    const admin = await signIn('ada@acme.example', 'admin');
    for (const path of ['log', 'operators']) {
      expect([path, (await atHome(path, admin)).status]).toEqual([path, 404]);
      expect([path, (await visitor.open(path)).status]).toEqual([path, 404]);
    }
  });
});

test('the page of an operator shows roles, sessions and last acts, and has no act', async () => {
  await signIn('ada@acme.example', 'admin');
  await submit('keys', 'create-key', { name: 'Back end' });
  await idle();
  const list = await atHome('operators');
  for (const part of ['ada@acme.example', 'owner@gatehouse.example', 'npm run operators'])
    expect(readText(list)).toContain(part);
  const links = [...list.text.matchAll(/href="([^"]+\/operators\/om_[^"]+)"/g)].map(([, link = '']) => link);
  expect(links).toHaveLength(2);
  const pages = await Promise.all(links.map(async (link) => openPath(visitor.person, link)));
  const texts = pages.map(readText);
  expect(texts.some((text) => text.includes('admin') && text.includes('All environments'))).toBe(true);
  expect(texts.some((text) => text.includes('owner') && text.includes('environment_api_keys.create'))).toBe(true);
  for (const { text } of pages) expect(text).not.toContain('name="do"');
});

describe('a feature flag', () => {
  test('lists its targets, and says why it is on or off for a user', async () => {
    const organization = await newOrganization('Acme');
    const [ada, bob] = [await addUser('ada@acme.example'), await addUser('bob@acme.example')];
    await call('POST', '/user_management/organization_memberships', { user_id: bob, organization_id: organization });
    await call('POST', '/x/feature-flags', { slug: 'beta', name: 'Beta', enabled: true });
    await call('PUT', '/feature-flags/beta/enable');
    await call('POST', `/feature-flags/beta/targets/${organization}`);
    await call('POST', '/x/feature-flags/beta/targets/team/42');
    const page = await visitor.open('flags/beta');
    for (const part of [organization, 'team/42', 'team']) expect(readText(page)).toContain(part);
    const why = async (user: string): Promise<string> => readText(await visitor.open(`flags/beta?user=${user}`));
    expect(await why(bob)).toMatch(/The flag is\s+on[^]*It is no target[^]*Acme[^]*It is a target of the flag/);
    expect(await why(ada)).toMatch(/The flag is\s+off[^]*the default of the flag is off/);
    await call('PUT', '/feature-flags/beta/disable');
    expect(await why(bob)).toContain('it is off for all');
    expect(await why('user_01K0G000000000000000000009')).toContain('There is no such user.');
  });
});

describe('the authorization model', () => {
  const model = (roles: object[]): string =>
    JSON.stringify({
      permissions: [{ slug: 'read', name: 'Read' }],
      roles: [{ slug: 'member', name: 'Member' }, ...roles],
    });

  test('is planned before it is applied, at the version that was planned', async () => {
    const reader = { slug: 'reader', name: 'Reader', permissions: ['read'] };
    const planned = await submit('authorization', 'plan-model', { model: model([reader]) });
    expect([planned.status, readText(planned)]).toEqual([200, expect.stringMatching(/create[^]*role[^]*reader/)]);
    const read = async () => (await call<{ roles: { slug: string }[] }>('GET', '/x/authorization/model')).body.roles;
    expect((await read()).map(({ slug }) => slug)).not.toContain('reader');
    const fields = { ...REASON, model: model([reader]) };
    const applied = await visitor.person.submit(planned, fields, 'value="apply-model"');
    expect(readText(applied)).toContain('The model is applied.');
    expect((await read()).map(({ slug }) => slug)).toContain('reader');
    const again = await visitor.person.submit(planned, { ...fields, model: model([]) }, 'value="apply-model"');
    expect([again.status, readText(again)]).toEqual([422, expect.stringContaining('changed since this version')]);
    const broken = await submit('authorization', 'plan-model', { model: '{' });
    expect([broken.status, readText(broken)]).toEqual([422, expect.stringContaining('Nothing was changed.')]);
  });

  test('explains why a member has a permission, and what would allow it', async () => {
    const organization = await newOrganization('Acme');
    const user = await addUser('ada@acme.example');
    await call(
      'PUT',
      '/x/authorization/model',
      JSON.parse(model([{ slug: 'reader', name: 'Reader', permissions: ['read'] }])),
    );
    const { body } = await call('POST', '/user_management/organization_memberships', {
      user_id: user,
      organization_id: organization,
      role_slug: 'member',
    });
    const query = `membership=${String(body.id)}&permission=read&type=organization&external=${organization}`;
    const denied = readText(await visitor.open(`explain?${query}`));
    expect(denied).toMatch(/denied[^]*reader/);
    await call('PUT', `/user_management/organization_memberships/${String(body.id)}`, { role_slug: 'reader' });
    expect(readText(await visitor.open(`explain?${query}`))).toMatch(/allowed[^]*reader/);
    expect(
      readText(await visitor.open('explain?membership=om_1&permission=read&type=organization&external=x')),
    ).toMatch(/There is no such|rejected this part/);
  });
});

test('rules of Radar are simulated, and stay as they are', async () => {
  const { body: rules } = await call('GET', '/x/radar/rules');
  const simulated = await submit('radar', 'simulate', { rules: JSON.stringify(rules) });
  expect([simulated.status, readText(simulated)]).toEqual([200, expect.stringMatching(/0 of\s+0 attempts/)]);
  const broken = await submit('radar', 'simulate', { rules: '[]' });
  expect([broken.status, readText(broken)]).toEqual([422, expect.stringContaining('Nothing was changed.')]);
  expect((await call('GET', '/x/radar/rules')).body).toEqual(rules);
});

test('the attempt of Radar is explained by its controls and signals', async () => {
  const { body } = await call<{ attempt_id: string }>('POST', '/radar/attempts', {
    ip_address: '203.0.113.7',
    user_agent: 'curl/8',
    email: 'ada@acme.example',
    auth_method: 'Password',
    action: 'sign-in',
  });
  const page = await visitor.open(`radar/${body.attempt_id}`);
  expect([page.status, readText(page)]).toEqual([
    200,
    expect.stringMatching(/Controls[^]*Signals[^]*ada@acme\.example/),
  ]);
});

test('agents of the environment are stopped with a reason, and the stop is lifted', async () => {
  const stopped = await submit('agents/stop', 'stop-agents');
  expect(readText(stopped)).toMatch(/stopped[^]*Ticket 4711: review/);
  expect((await call('GET', '/x/agents/stop?target=environment')).body).toMatchObject({ lifted_at: null });
  const lifted = await visitor.person.submit(stopped, REASON, 'value="lift-stop"');
  expect(readText(lifted)).toContain('The stop is lifted');
  expect((await call('GET', '/x/agents/stop?target=environment')).body.lifted_at).not.toBeNull();
});

describe('the vault', () => {
  test('shows a value once, in the response to the act that reveals it', async () => {
    const { body } = await call('POST', '/vault/v1/kv', {
      name: 'key',
      value: 'canary <b>',
      key_context: { team: 'a' },
    });
    const page = await visitor.open(`vault/${String(body.id)}`);
    expect(page.text).not.toContain('canary');
    const response = await visitor.person.submit(page, REASON, 'value="reveal"');
    expect([response.status, response.text.includes('canary &lt;b&gt;'), response.url.includes('canary')]).toEqual([
      200,
      true,
      false,
    ]);
    expect((await visitor.open(`vault/${String(body.id)}`)).text).not.toContain('canary');
    await idle();
    const log = await atHome('log');
    expect([listOperations(log).includes('vault.objects.read'), log.text.includes('canary')]).toEqual([true, false]);
    const admin = await signIn('ada@acme.example', 'admin');
    expect((await openPath(admin, new URL(page.url).pathname)).text).not.toContain('value="reveal"');
  });

  test('maps and deletes a key of a customer only as proposals', async () => {
    const id = await newOrganization('Acme');
    const arn = 'arn:aws:kms:eu-west-1:111122223333:key/11111111-2222-4333-8444-555555555555';
    const proposed = await submit('vault-keys', 'map-key', { value: id, arn });
    expect([proposed.status, readText(proposed)]).toEqual([200, expect.stringContaining('vault.customer_keys.put')]);
    expect((await call<{ data: unknown[] }>('GET', '/x/vault/customer_keys')).body.data).toEqual([]);
  });
});

describe('the audit log of an organization', () => {
  test('lists its events, makes an export with its proof, and lowers the retention only as a proposal', async () => {
    const id = await newOrganization('Acme');
    await call('POST', '/audit_logs/actions/user.signed_in/schemas', { targets: [{ type: 'team' }] });
    const event = {
      action: 'user.signed_in',
      occurred_at: '2026-01-15T12:00:00.000Z',
      actor: { id: 'user_1', type: 'user', name: 'Ada <b>' },
      targets: [{ id: 'team_1', type: 'team' }],
      context: { location: '192.0.2.1' },
    };
    await call('POST', '/audit_logs/events', { organization_id: id, event });
    await idle();
    const path = `organizations/${id}/audit-log`;
    const page = await visitor.open(path);
    expect([page.text.includes('Ada &lt;b&gt;'), readText(page).includes('365 days')]).toEqual([true, true]);
    const made = await submit(path, 'create-export', { from: '2020-01-01', to: '2100-01-01' });
    const link = /href="([^"]+\/audit_log_export_[^"]+)"/.exec(made.text)?.[1] ?? '';
    await idle();
    const files = await openPath(visitor.person, link);
    const urls = [...files.text.matchAll(/href="([^"]+)">Download/g)].map(([, url = '']) =>
      url.replaceAll('&amp;', '&'),
    );
    expect(urls).toHaveLength(2);
    expect(await (await fetch(urls[0] ?? '')).text()).toContain('user.signed_in');
    const lowered = await submit(path, 'set-retention', { days: '30' });
    expect(readText(lowered)).toContain('audit_logs.set_retention');
    expect((await call('GET', `/organizations/${id}/audit_logs_retention`)).body.retention_period_in_days).toBeNull();
    const raised = await submit(path, 'set-retention', { days: '730' });
    expect(readText(raised)).toContain('The retention is changed.');
  });
});

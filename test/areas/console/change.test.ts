import { beforeEach, describe, expect, test } from '@jest/globals';

import type { Page } from '../../support/browser.ts';
import { operatorGrant } from '../../support/console.ts';
import { findChange, reviewForm } from '../../support/console-forms.ts';
import { consolePath, listLinks, visitConsole, type Visitor } from '../../support/console-pages.ts';
import { readText } from '../../support/portal.ts';
import { call, idle, reset } from '../../support/service.ts';

const SETTINGS = '/x/sessions/settings';
const FORM = 'value="sessions.update_settings"';
const REASON = { reason: 'Ticket 91: shorter sessions' };

let visitor: Visitor;

beforeEach(async () => {
  await reset({ calm: true });
  visitor = await visitConsole();
});

/** Sends the first step of the form of sessions, or of another one. */
const review = async (page: Page, changes: Record<string, string>, form = FORM): Promise<Page> =>
  reviewForm(visitor.person, page, form, changes);

const save = async (page: Page, form = FORM, changes: Record<string, string> = REASON): Promise<Page> =>
  visitor.person.submit(page, { ...changes, step: 'save' }, form);

const findForm = (page: Page, id = 'sessions.update_settings'): string => findChange(page, id);

const read = async () => (await call<Record<string, unknown>>('GET', SETTINGS)).body;

describe('a change of settings', () => {
  test('is shown member by member before it is saved, and saved with the reason', async () => {
    const before = await read();
    const reviewed = await review(await visitor.open('sign-in-settings'), { 'm.max_sessions': '7' });
    expect(reviewed.status).toBe(200);
    const form = readText({ ...reviewed, text: findForm(reviewed) });
    expect(form).toContain('This will change');
    expect(form).toMatch(/Max sessions\s+\S+\s+7/);
    expect(form).not.toContain('Inactivity');
    expect(await read()).toEqual(before);
    const saved = await save(reviewed);
    expect([saved.status, readText(saved)]).toEqual([200, expect.stringContaining('The change is saved.')]);
    expect(await read()).toEqual({ ...before, max_sessions: 7 });
  });

  test('by another user in between shows both versions with the filled form, in either step, and is not lost', async () => {
    const page = await visitor.open('sign-in-settings');
    const reviewed = await review(page, { 'm.max_sessions': '7' });
    const other = { ...(await read()), max_sessions: 9, access_token_seconds: 600 };
    await call('PUT', SETTINGS, other);
    for (const late of [await review(page, { 'm.max_sessions': '7' }), await save(reviewed)]) {
      expect(late.status).toBe(422);
      expect(readText(late)).toContain('another user changed this');
      const form = findForm(late);
      expect(readText({ ...late, text: form })).toMatch(/Max sessions\s+\S.*\s+9\s+7/);
      expect(form).toMatch(/name="m.max_sessions"\s+value="7"/);
      expect(await read()).toMatchObject(other);
      const again = await review(late, { 'm.access_token_seconds': '600' });
      expect(readText({ ...again, text: findForm(again) })).not.toContain('Access token');
    }
    const kept = await review(await save(reviewed), { 'm.access_token_seconds': '600' });
    expect((await save(kept)).status).toBe(200);
    expect(await read()).toMatchObject({ max_sessions: 7, access_token_seconds: 600 });
  });

  test('that the API rejects keeps the filled form, and one without a difference or reason is not sent', async () => {
    const page = await visitor.open('sign-in-settings');
    const before = await read();
    const wrong = await review(page, { 'm.max_sessions': 'many' });
    expect([wrong.status, findForm(wrong)]).toEqual([
      422,
      expect.stringMatching(/name="m.max_sessions"\s+value="many"/),
    ]);
    expect(readText(wrong)).toContain('max_sessions');
    expect(readText(await review(page, {}))).toContain('Nothing would change.');
    const reviewed = await review(page, { 'm.max_sessions': '7' });
    const without = await save(reviewed, FORM, { reason: '' });
    expect([without.status, readText(without)]).toEqual([422, expect.stringContaining('Give a reason')]);
    expect(findForm(without)).toContain('This will change');
    expect(await read()).toEqual(before);
    const back = await visitor.person.submit(reviewed, { step: 'edit' }, FORM);
    expect(findForm(back)).toMatch(/name="m.max_sessions"\s+value="7"/);
  });

  test('of JSON, lists and texts is the one that was typed, and invalid JSON is named', async () => {
    const page = await visitor.open('branding');
    const form = 'value="pages.update_settings"';
    const changes = {
      'm.brand_name': '<b>Acme</b>',
      'm.redirect_origins': 'https://a.example\r\nhttps://b.example\r\n',
    };
    const broken = await review(page, { ...changes, 'm.texts': '{' }, form);
    expect([broken.status, readText(broken)]).toEqual([422, expect.stringContaining('Texts: this is not valid JSON.')]);
    const reviewed = await review(page, changes, form);
    expect(reviewed.text).toContain('&lt;b&gt;Acme&lt;/b&gt;');
    await save(reviewed, form);
    const { body } = await call('GET', '/x/pages/settings');
    expect(body).toMatchObject({
      brand_name: '<b>Acme</b>',
      redirect_origins: ['https://a.example', 'https://b.example'],
    });
  });

  test('of the rules of Radar replaces the one member that differs, and leaves its other settings', async () => {
    const { body: before } = await call<{ controls: Record<string, object> }>('GET', '/x/radar/rules');
    const { body: settings } = await call('GET', '/x/radar/settings');
    const form = 'value="radar.put_rules"';
    await save(await review(await visitor.open('radar'), { 'm.controls.stale_account.mode': 'block' }, form), form);
    const { controls } = before;
    expect((await call('GET', '/x/radar/rules')).body).toEqual({
      ...before,
      version: '1',
      is_default: false,
      controls: { ...controls, stale_account: { ...controls.stale_account, mode: 'block' } },
    });
    expect((await call('GET', '/x/radar/settings')).body).toEqual(settings);
  });

  test('of style rules is rejected with the line that is not allowed and shows the entered text again; rules of several lines are saved', async () => {
    const form = 'value="pages.update_style"';
    const bad = await save(await review(await visitor.open('branding'), { 'm.css': '.card{color:red}' }, form), form);
    expect([bad.status, readText(bad)]).toEqual([422, expect.stringContaining('line 1')]);
    expect(findForm(bad, 'pages.update_style')).toContain('.card{color:red}');
    const css = '.card{border-radius:1px}\r\n.button{border-radius:2px}';
    expect((await save(await review(bad, { 'm.css': css }, form), form)).status).toBe(200);
    const saved = (await call<{ css: string }>('GET', '/x/pages/style')).body.css;
    expect(saved).toMatch(/\.card[^]*1px[^]*\.button[^]*2px/);
  });

  test('of a blueprint of agents replaces the members that differ, and not those of another user in between', async () => {
    const { body } = await call<{ id: string }>('POST', '/agents/blueprints', { name: 'Support', permissions: [] });
    const form = 'value="agent_blueprints.update"';
    const page = await visitor.open(`agents/${body.id}`);
    const reviewed = await review(page, { 'm.name': 'Sales', 'm.session_settings.max_age_seconds': '7200' }, form);
    expect((await save(reviewed, form)).status).toBe(200);
    const path = `/agents/blueprints/${body.id}`;
    const { body: changed } = await call<Record<string, unknown>>('GET', path);
    expect(changed).toMatchObject({ name: 'Sales', permissions: [], session_settings: { max_age_seconds: 7_200 } });
    const late = await save(await review(page, { 'm.description': 'Late' }, form), form);
    expect([late.status, readText(late)]).toEqual([422, expect.stringContaining('another user changed this')]);
    expect((await call('GET', path)).body).toEqual(changed);
  });

  test('of a provider takes a secret in the second step, and shows none afterwards', async () => {
    const google = '/x/social/providers/GoogleOAuth';
    await call('PUT', google, { client_id: 'one', client_secret: 'canary-of-the-provider' });
    const form = 'value="social_providers.configure"';
    const page = await visitor.open('providers/GoogleOAuth');
    const reviewed = await review(page, { 'm.client_id': 'two' }, form);
    const saved = await save(reviewed, form, { ...REASON, 'm.client_secret': 'canary-of-the-form', step: 'save' });
    expect(readText(saved)).toContain('The change is saved.');
    expect((await call('GET', google)).body).toMatchObject({ client_id: 'two' });
    const failed = await save(reviewed, form, { ...REASON, 'm.client_secret': 'canary-of-the-form', version: '"old"' });
    expect(failed.status).toBe(422);
    for (const { text } of [page, reviewed, saved, failed]) expect(text).not.toContain('canary-of');
  });

  test('is offered to those only who may make it, and rejected from others', async () => {
    expect(findForm(await visitor.open('sign-in-settings'))).not.toBe('');
    const grant = await operatorGrant(['config.read']);
    expect((await call('PUT', SETTINGS, {}, { apiKey: grant })).status).toBe(403);
  });

  test('of what is not set yet fails if another user sets it first', async () => {
    const form = 'value="jwt_template.update"';
    const page = await visitor.open('jwt-template');
    const reviewed = await review(page, { 'm.content': '{"a": "b"}' }, form);
    expect(reviewed.status).toBe(200);
    await call('PUT', '/user_management/jwt_template', { content: '{"c": "d"}' });
    expect((await save(reviewed, form)).status).toBe(422);
    expect((await call('GET', '/user_management/jwt_template')).body).toMatchObject({ content: '{"c": "d"}' });
  });
});

test('a search by name that finds nothing leads to the setting that enables it, and then finds the user', async () => {
  const { body } = await call<{ id: string }>('POST', '/user_management/users', {
    email: 'ada@acme.example',
    first_name: 'Augusta',
  });
  const search = await visitor.open('search?q=augusta');
  const address = listLinks(search).find((link) => link.endsWith('/other-settings')) ?? '';
  expect([readText(search), address]).toEqual([
    expect.stringContaining('People are not searched by name'),
    await consolePath('other-settings'),
  ]);
  const form = 'value="search.update_settings"';
  const reviewed = await review(await visitor.open('other-settings'), { 'm.users': 'on' }, form);
  expect((await save(reviewed, form)).status).toBe(200);
  await idle();
  expect(listLinks(await visitor.open('search?q=augusta'))).toContain(await consolePath(`users/${body.id}`));
});

describe('redirect URIs and origins', () => {
  test('are added and removed by forms', async () => {
    const uri = 'https://app.example.com/callback';
    await call('POST', '/user_management/redirect_uris', { uri: 'https://app.example.com/default' });
    const added = await visitor.person.submit(
      await visitor.open('redirect-uris'),
      { ...REASON, uri },
      'value="add-uri"',
    );
    expect(readText(added)).toContain('The redirect URI is added.');
    expect(added.text).toContain(uri);
    const removed = await visitor.person.submit(added, REASON, 'value="remove-uri"');
    expect(readText(removed)).toContain('The redirect URI is removed.');
    const origin = 'https://app.example.com';
    const page = await visitor.person.submit(
      await visitor.open('origins'),
      { ...REASON, origin },
      'value="add-origin"',
    );
    expect(readText(page)).toContain('The origin is added.');
    await visitor.person.submit(page, REASON, 'value="remove-origin"');
    expect((await call<{ data: unknown[] }>('GET', '/user_management/cors_origins')).body.data).toEqual([]);
  });
});

describe('If-Match', () => {
  test('changes the version that it names only, and each change has another tag', async () => {
    const { headers, body } = await call('GET', SETTINGS);
    const etag = headers.etag ?? '';
    expect(etag).toMatch(/^"[\w-]{27}"$/);
    const put = async (change: object, condition: Record<string, string>) =>
      (await call<{ code?: string }>('PUT', SETTINGS, { ...(body as object), ...change }, { headers: condition }))
        .status;
    expect(await put({ max_sessions: 5 }, { 'if-match': '"other"' })).toBe(412);
    expect(await put({ max_sessions: 5 }, { 'if-none-match': '*' })).toBe(412);
    expect(await put({ max_sessions: 5 }, { 'if-match': `"other", ${etag}`, 'gatehouse-dry-run': 'true' })).toBe(200);
    expect(await put({ max_sessions: 5 }, { 'if-match': etag })).toBe(200);
    expect(await put({ max_sessions: 6 }, { 'if-match': etag })).toBe(412);
    expect(await put({ max_sessions: 6 }, { 'if-match': '*' })).toBe(200);
    expect(await read()).toMatchObject({ max_sessions: 6 });
  });

  test('lets one of two changes at once through', async () => {
    const { headers, body } = await call('GET', SETTINGS);
    const condition = { 'if-match': headers.etag ?? '' };
    const sent = [3, 4, 5].map(async (max) =>
      call('PUT', SETTINGS, { ...(body as object), max_sessions: max }, { headers: condition }),
    );
    expect((await Promise.all(sent)).map(({ status }) => status).toSorted()).toEqual([200, 412, 412]);
  });

  test('of an endpoint stays the same while its deliveries fail', async () => {
    const { body } = await call<{ id: string }>('POST', '/webhook_endpoints', {
      endpoint_url: 'https://acme.example/hook',
      events: ['user.created'],
    });
    const { headers } = await call('GET', `/x/webhook_endpoints/${body.id}`);
    const condition = { headers: { 'if-match': headers.etag ?? '' } };
    const path = `/webhook_endpoints/${body.id}`;
    expect((await call('PATCH', path, { status: 'disabled' }, condition)).status).toBe(200);
    expect((await call('PATCH', path, { status: 'enabled' }, condition)).status).toBe(412);
  });
});

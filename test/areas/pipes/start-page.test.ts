import { beforeEach, describe, expect, test } from '@jest/globals';

import { receiver } from '../../support/receiver.ts';
import { advance, call, idle, reset, service } from '../../support/service.ts';
import { addMembership, addUser } from '../../support/users.ts';
import { agree, browser } from '../../support/browser.ts';
import { account, authorize, EVENTS, integrate, SLUG, vend } from './connection.ts';
import { type ThirdParty, thirdParty } from './third-party.ts';

const RETURN_TO = 'https://app.example.com/settings?tab=accounts';

let party: ThirdParty;
let user: string;

beforeEach(async () => {
  await reset();
  party = await thirdParty();
  party.open([await integrate(party)]);
  user = await addUser('grace@example.com');
});

const confirm = async (): Promise<void> => {
  const { status, body } = await call('PUT', '/x/pipes/settings', { authorization_start: 'confirm' });
  expect([status, body.authorization_start]).toEqual([200, 'confirm']);
};

const ENDED = 'This link has expired';

describe('with a confirmation page', () => {
  beforeEach(confirm);

  test('the page names the provider and the recipient of the connection, and a click continues', async () => {
    const person = browser();
    const start = await person.open(await authorize(user));
    expect(start.url.startsWith((await service()).url)).toBe(true);
    expect(start.text).toContain('Connect your Third Party account');
    expect(start.text).toContain('grace@example.com');
    expect(start.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(start.headers.get('referrer-policy')).toBe('same-origin');
    expect(start.headers.get('set-cookie')).toMatch(/HttpOnly; SameSite=Lax/);
    expect(party.requests).toHaveLength(0);
    const done = await agree(person, await person.submit(start));
    expect(done.text).toContain('is connected');
    expect((await vend(user)).body.active).toBe(true);
  });

  test('the page names the permissions, and the application gets the reason of a cancellation, once, with an event', async () => {
    await call('POST', '/user_management/redirect_uris', { uri: RETURN_TO });
    const person = browser();
    const start = await person.open(await authorize(user, { return_to: RETURN_TO }));
    expect(start.text).toContain('Permissions requested');
    const canceled = new URL((await person.submit(start, { do: 'cancel' })).url);
    expect([canceled.origin, canceled.searchParams.get('error')]).toEqual(['https://app.example.com', 'access_denied']);
    expect((await person.submit(start)).text).toContain(ENDED);
    expect(party.requests).toHaveLength(0);
    await idle();
    const readFailures = async (name: string) => {
      const { body } = await call<{ data: { data: { error_code: string } }[] }>('GET', `/events?events=${name}`);
      return body.data.map(({ data }) => data.error_code);
    };
    expect(await readFailures('pipes.connected_account.connection_failed')).toEqual(['access_denied']);
    const further = await person.open(await authorize(user, { return_to: RETURN_TO, connection_intent: 'add' }));
    await person.submit(further, { do: 'cancel' });
    await idle();
    expect(await readFailures('pipes.account_connection.add_failed')).toEqual(['access_denied']);
  });

  test('canceling without a return address shows a page, and another browser cannot cancel', async () => {
    const person = browser();
    const start = await person.open(await authorize(user));
    expect((await browser().submit(start, { do: 'cancel' })).text).toContain(ENDED);
    const canceled = await person.submit(start, { do: 'cancel' });
    expect([canceled.status, canceled.text.includes('was not connected')]).toEqual([400, true]);
  });

  test('the start page has the brand of the environment and the language of the browser', async () => {
    await call('PUT', '/x/pages/settings', { brand_name: 'Nimbus' });
    const url = new URL(await authorize(user));
    const headers = { accept: 'text/html', 'accept-language': 'de' };
    const { body } = await call<string>('GET', url.pathname, undefined, { apiKey: null, headers });
    for (const part of ['<html lang="de"', 'Nimbus', 'Ihr Third Party-Konto verbinden']) expect(body).toContain(part);
  });

  test('the page escapes the organization’s name', async () => {
    const { id } = (await call<{ id: string }>('POST', '/organizations', { name: '<script>alert(1)</script>' })).body;
    await addMembership(user, id);
    const root = { provider: SLUG, ownership: 'organization', enabled: true };
    const credentials = { type: 'custom', client_id: 'id', client_secret: 'secret-of-it' };
    expect((await call('POST', '/data-integrations', { ...root, credentials })).status).toBe(201);
    const url = await authorize(user, { organization_id: id, connection_owner: 'organization' });
    const { text } = await browser().open(url);
    expect(text).toContain('everyone in &lt;script&gt;');
    expect(text).not.toContain('<script>alert');
  });

  test('a link works for one click', async () => {
    const url = await authorize(user);
    const [first, second] = [browser(), browser()];
    const [one, other] = [await first.open(url), await second.open(url)];
    expect((await first.submit(one)).text).not.toContain(ENDED);
    expect((await second.submit(other)).text).toContain(ENDED);
    expect((await second.open(url)).text).toContain(ENDED);
  });

  test('another person’s browser cannot finish an authorization that was started elsewhere', async () => {
    const person = browser();
    const login = await person.submit(await person.open(await authorize(user)));
    const consent = await person.submit(login, { login: 'ada', password: 'x' });
    const action = /<form[^>]*action="([^"]+)"/.exec(consent.text)?.[1] ?? '';
    let response = await person.request(new URL(action, consent.url).href, {
      method: 'POST',
      body: new URLSearchParams({ prompt: 'consent' }),
    });
    while (!new URL(response.headers.get('location') ?? '', response.url).pathname.startsWith('/x/')) {
      response = await person.request(new URL(response.headers.get('location') ?? '', response.url).href);
    }
    const callback = response.headers.get('location') ?? '';
    expect(await browser().open(callback)).toMatchObject({ status: 400, text: expect.stringContaining(ENDED) });
    expect((await person.open(callback)).text).toContain('is connected');
    expect((await person.open(callback)).text).toContain(ENDED);
    expect(party.of('authorization_code')).toHaveLength(1);
  });

  test.each([
    ['without the cookie', {}, false, {}],
    ['from another site', { 'sec-fetch-site': 'cross-site' }, true, {}],
    ['of another origin', { origin: 'https://evil.example' }, true, {}],
    ['without the form’s proof', {}, true, { proof: 'x' }],
  ])('a click %s is rejected', async (_title, headers, hasCookie, changes) => {
    const url = await authorize(user);
    const person = browser();
    const { text } = await person.open(url);
    const proof = /name="proof" value="([^"]+)"/.exec(text)?.[1] ?? '';
    const sender = hasCookie ? person : browser();
    const body = new URLSearchParams({ proof, ...changes });
    const response = await sender.request(url, { method: 'POST', body, headers });
    expect([response.status, response.text.includes(ENDED)]).toEqual([400, true]);
    expect((await person.submit(await person.open(url))).text).not.toContain(ENDED);
  });
});

describe('an authorization', () => {
  test('redirects to the provider at once if the environment has its own confirmation page', async () => {
    const url = new URL(await authorize(user));
    expect(url.origin).toBe(party.url);
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      response_type: 'code',
      scope: 'openid offline_access read',
      prompt: 'consent',
      code_challenge_method: 'S256',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    });
  });

  test('expires after fifteen minutes', async () => {
    const url = await authorize(user);
    await advance(901);
    const person = browser();
    expect((await agree(person, await person.open(url))).text).toContain(ENDED);
    expect(party.of('authorization_code')).toHaveLength(0);
  });

  test('redirects back only to a registered address', async () => {
    const body = { user_id: user, return_to: RETURN_TO };
    const rejected = await call('POST', `/data-integrations/${SLUG}/authorize`, body);
    expect([rejected.status, rejected.body.message]).toEqual([400, expect.stringContaining('return_to')]);
    await call('POST', '/user_management/redirect_uris', { uri: RETURN_TO });
    const person = browser();
    const done = await agree(person, await person.open(await authorize(user, { return_to: RETURN_TO })));
    expect(done.url).toBe(RETURN_TO);
    expect((await vend(user)).body.active).toBe(true);
  });

  test('that the provider rejects is reported at the redirect address and to webhooks', async () => {
    const hooks = await receiver();
    await call('POST', '/webhook_endpoints', { endpoint_url: hooks.url, events: EVENTS });
    await call('POST', '/user_management/redirect_uris', { uri: RETURN_TO });
    const fail = async (more: object): Promise<string> => {
      const address = new URL(await authorize(user, { return_to: RETURN_TO, ...more }));
      const { redirect_uri = '', state = '' } = Object.fromEntries(address.searchParams);
      const query = new URLSearchParams({
        state,
        error: 'access_denied',
        error_description: 'Not today',
        iss: party.url,
      });
      return (await browser().open(`${redirect_uri}?${query.toString()}`)).url;
    };
    const redirectedTo = new URL(await fail({}));
    expect(Object.fromEntries(redirectedTo.searchParams)).toEqual({
      tab: 'accounts',
      error: 'access_denied',
      // The provider's text is for the environment's developers, and only the event below contains it.
      error_description: 'The provider rejected the request.',
      state: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    await fail({ connection_intent: 'add' });
    await idle();
    const events = hooks.requests.map(({ body }) => JSON.parse(body) as { event: string; data: object });
    expect(events.map(({ event }) => event).sort()).toEqual([
      'pipes.account_connection.add_failed',
      'pipes.account_connection.connection_failed',
      'pipes.connected_account.connection_failed',
      'pipes.connected_account.connection_failed',
    ]);
    expect(events[0]?.data).toMatchObject({
      object: 'connection_failed',
      provider_slug: SLUG,
      user_id: user,
      error_code: 'access_denied',
      provider_error_description: 'Not today',
    });
  });

  test.each([
    [
      'of another issuer',
      (query: URLSearchParams) => query.set('iss', 'https://evil.example'),
      'does not belong to this request',
    ],
    ['with a code that is none', (query: URLSearchParams) => query.set('code', 'nonsense'), 'not connected'],
    ['without a code', (query: URLSearchParams) => query.delete('code'), 'not connected'],
  ])('whose response is %s makes no connection', async (_title, change, text) => {
    const address = new URL(await authorize(user));
    const { redirect_uri = '', state = '' } = Object.fromEntries(address.searchParams);
    const query = new URLSearchParams({ state, code: 'x', iss: party.url });
    change(query);
    const response = await browser().open(`${redirect_uri}?${query.toString()}`);
    expect(response).toMatchObject({ status: 400, text: expect.stringContaining(text) });
    expect((await account(user)).status).toBe(404);
  });

  test('is not completed at the redirect URI of another integration', async () => {
    const { body } = await call<{ redirect_uri: string }>('POST', '/data-integrations', {
      provider: 'github',
      enabled: true,
      credentials: { type: 'custom', client_id: 'x', client_secret: 'secret-of-it' },
    });
    const state = new URL(await authorize(user)).searchParams.get('state') ?? '';
    expect((await browser().open(`${body.redirect_uri}?state=${state}&code=x`)).text).toContain(ENDED);
  });

  test('reports that its integration was deleted', async () => {
    const address = new URL(await authorize(user));
    await call('DELETE', `/data-integrations/${SLUG}`);
    const { redirect_uri = '', state = '' } = Object.fromEntries(address.searchParams);
    const { text } = await browser().open(`${redirect_uri}?state=${state}&code=x`);
    expect(text).toContain('was not connected');
  });

  test('needs no confirmation in the local environment by default', async () => {
    expect((await call('GET', '/x/pipes/settings')).body).toEqual({
      authorization_start: 'redirect',
      organization_integrations: true,
    });
  });
});

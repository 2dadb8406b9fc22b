import { request } from 'node:http';

import { beforeEach, expect, test } from '@jest/globals';

import { type Browser, browser, type Page } from '../../support/browser.ts';
import { call, reset, service } from '../../support/service.ts';
import { readReturn, redeem, registerApplication, startUrl } from './identity-provider.ts';
import { type Connection, organization } from './support.ts';

/** The test identity provider of the local service, its four scenarios, and its connections. */

let connection: Connection;
let person: Browser;

beforeEach(async () => {
  await reset({ calm: true });
  await registerApplication();
  const organization_id = await organization('initech.example', 'Initech');
  const { url } = await service();
  const saml_options: unknown = await (await fetch(`${url}/_local/idp/options`)).json();
  const made = await call<Connection>('POST', '/connections', { organization_id, saml_options });
  expect(made.status).toBe(201);
  connection = made.body;
  person = browser();
});

const authorize = async (more: Record<string, string> = {}): Promise<Page> =>
  person.open(await startUrl('/user_management/authorize', { connection_id: connection.id, ...more }));

/** Presses a button of the provider, whose page then posts the response to the service. */
async function respond(page: Page, scenario: string, more: Record<string, string> = {}): Promise<Page> {
  return person.submit(await person.submit(page, { scenario, ...more }));
}

/** The status of a navigation that a page of another site causes; `fetch` would replace these headers. */
const fromElsewhere = (url: string, method = 'GET'): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' };
    const sent = request(url, { method, headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    sent.once('error', reject).end();
  });

interface Granted {
  user: { email: string; last_name: string };
  authentication_method: string;
}

test('a connection with the options of the test identity provider has the type TestIdp, and is active at once', () => {
  expect(connection).toMatchObject({ connection_type: 'TestIdp', state: 'active' });
});

test('in the scenario "application", a user signs in with any address of the domain; the default is the login hint', async () => {
  const page = await authorize({ login_hint: 'hint@initech.example' });
  expect(page.text).toContain('value="hint@initech.example"');
  const { code } = readReturn(await respond(page, 'sign-in', { last_name: 'O’Hara & <Co>' }));
  expect((await redeem<Granted>(code)).body).toMatchObject({
    user: { email: 'hint@initech.example', last_name: 'O’Hara & <Co>' },
    authentication_method: 'SSO',
  });
});

test('in the scenario "guest", an address of another domain is rejected', async () => {
  expect(readReturn(await respond(await authorize(), 'guest'))).toMatchObject({
    error: 'profile_not_allowed_outside_organization',
  });
});

test('in the scenario "error", the application gets access_denied with its state', async () => {
  expect(readReturn(await respond(await authorize(), 'error'))).toMatchObject({
    error: 'access_denied',
    state: 'the-state',
  });
});

test('in the scenario "provider", a connection on the start page begins a sign-in with a request of the service', async () => {
  const { url } = await service();
  const start = await person.open(`${url}/_local/idp`);
  expect(start.text).toContain('Initech');
  const tile = /<form method="get" action="([^"]+)">(.*?)<\/form>/s.exec(start.text);
  const fields = [...(tile?.[2] ?? '').matchAll(/name="(\w+)"\s+value="([^"]*)"/g)].map(
    ([, name = '', value = '']) => [name, value.replaceAll('&amp;', '&')] as [string, string],
  );
  const open = () => person.open(`${url}${tile?.[1] ?? ''}?${new URLSearchParams(fields).toString()}`);
  const again = await respond(await open(), 'sign-in');
  expect(new URL(again.url).pathname).toBe('/_local/idp/sso');
  const { code } = readReturn(await respond(again, 'sign-in'));
  expect((await redeem<Granted>(code)).body.user.email).toBe('grace@initech.example');
  await call('PATCH', `/x/connections/${connection.id}`, { settings: { idp_initiated: 'allow' } });
  const consent = await respond(await open(), 'sign-in');
  expect(consent.text).toContain('grace@initech.example');
  const allowed = readReturn(await person.submit(consent, { do: 'approve' }));
  expect((await redeem<Granted>(allowed.code)).body.user.email).toBe('grace@initech.example');
});

test('the test identity provider responds only to this machine, and reads only requests of the service', async () => {
  const { url } = await service();
  expect((await fetch(`${url}/_local/idp/sso?SAMLRequest=${encodeURIComponent('no request 😀￿')}`)).status).toBe(400);
  expect((await fetch(`${url}/_local/idp/other`)).status).toBe(404);
  const elsewhere = { headers: { origin: 'https://evil.example' } };
  expect((await fetch(`${url}/_local/idp/options`, elsewhere)).status).toBe(403);
  // A link on another site can open its page, and has no other effect.
  expect(await fromElsewhere(`${url}/_local/idp`)).toBe(200);
  expect(await fromElsewhere(`${url}/_local/idp/respond`, 'POST')).toBe(403);
  expect(await fromElsewhere(`${url}/_local/clock`)).toBe(403);
});

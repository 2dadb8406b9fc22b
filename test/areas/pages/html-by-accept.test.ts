import { beforeEach, describe, expect, test } from '@jest/globals';

import { call, messages, reset } from '../../support/service.ts';

const BROWSER = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

beforeEach(() => reset());

/** Requests of a browser that opens a URL, with the status and the error code that other clients get. */
const OPENED: readonly (readonly [path: string, status: number, error: string])[] = [
  ['/', 404, 'not_found'],
  ['/no/such/path', 404, 'not_found'],
  ['/docs/no-such-area', 404, 'not_found'],
  [
    '/user_management/authorize?client_id=none&redirect_uri=https://a.example&response_type=code',
    400,
    'invalid_client',
  ],
  ['/x/pipes/authorizations/unknown', 400, 'connection_link_ended'],
  ['/x/social/start?flow=unknown', 400, 'sign_in_ended'],
];

describe.each(OPENED)('%s', (path, status, error) => {
  test('responds to a browser with a page in its language, which no other site can frame', async () => {
    const headers = { ...BROWSER, 'accept-language': 'de-CH,de;q=0.9' };
    const page = await call<string>('GET', path, undefined, { apiKey: null, headers });
    expect(page.status).toBe(status);
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(page.headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(page.body).toContain('<html lang="de"');
    expect(page.headers['x-error-code']).toBe(error);
  });

  test('responds to other clients with the error as JSON', async () => {
    const { body, headers } = await call('GET', path, undefined, { apiKey: null, headers: { accept: '*/*' } });
    expect(headers['content-type']).toContain('application/json');
    expect(Object.values(body)).toContain(error);
  });
});

test('the page of a rejected authorization request shows the developer its cause and the request id', async () => {
  const [path] = OPENED[3] ?? [];
  const { body, headers } = await call<string>('GET', path ?? '', undefined, { apiKey: null, headers: BROWSER });
  expect(body).toContain('invalid_client');
  expect(body).toContain('The client_id belongs to no environment');
  expect(body).toContain(headers['x-request-id']);
});

test('the page of an IT contact has the brand, the theme and the languages of the hosted pages', async () => {
  await call('PUT', '/x/pages/settings', { brand_name: 'Nimbus', light: { accent: '#aa0000' } });
  const { body: organization } = await call('POST', '/organizations', { name: 'Acme' });
  const contacts = `/organizations/${String(organization.id)}/it_contacts`;
  const { body: contact } = await call('POST', contacts, { email: 'it@acme.example' });
  await call('POST', `${contacts}/${String(contact.id)}/invite`, { intents: ['sso'] });
  const [mail] = await messages('it@acme.example');
  const { pathname } = new URL(mail?.links[0] ?? '');
  const headers = { ...BROWSER, 'accept-language': 'fr' };
  const { body } = await call<string>('GET', pathname, undefined, { apiKey: null, headers });
  for (const part of ['Nimbus', '#aa0000', 'Configurer Acme', 'Authentification unique']) expect(body).toContain(part);
});

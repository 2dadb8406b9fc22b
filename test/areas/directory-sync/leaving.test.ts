import { beforeEach, expect, test } from '@jest/globals';

import { browser, type Page } from '../../support/browser.ts';
import { call, reset, service } from '../../support/service.ts';
import { authorizeUrl, isAtApplication, PASSWORD, register } from '../pages/application.ts';
import { newProvider, newScimUser, patch, type Provider } from './scim.ts';

/** Tests of members who have left their directory, with every sign-in method that needs no refresh token. */

const EMAIL = 'ada@acme.example';
const OFF = patch({ op: 'replace', path: 'active', value: false });

let provider: Provider;
let scimId: string;

beforeEach(async () => {
  await reset({ calm: true });
  await register();
  provider = await newProvider({}, { domain: 'acme.example' });
  scimId = (await newScimUser(provider, EMAIL)).id;
  const { body } = await call<{ data: { id: string }[] }>('GET', `/user_management/users?email=${EMAIL}`);
  await call('PUT', `/user_management/users/${body.data[0]?.id ?? ''}`, { password: PASSWORD });
});

const leave = async (): Promise<void> => {
  expect((await provider.send('PATCH', `/Users/${scimId}`, OFF)).status).toBe(200);
};

const authorize = (): Promise<string> => authorizeUrl({ organization_id: provider.directory.organization_id });

async function signIn(person = browser()): Promise<Page> {
  const password = await person.submit(await person.open(await authorize()), { email: EMAIL });
  return person.submit(password, { password: PASSWORD });
}

async function exchange(page: Page) {
  const { clientId, apiKey } = await service();
  const code = new URL(page.url).searchParams.get('code') ?? '';
  const body = { client_id: clientId, client_secret: apiKey, grant_type: 'authorization_code', code };
  return call<{ error?: string }>('POST', '/user_management/authenticate', body, { apiKey: null });
}

test('a code that was issued before is not exchanged', async () => {
  const page = await signIn();
  expect(isAtApplication(page)).toBe(true);
  await leave();
  const answer = await exchange(page);
  expect([answer.status, answer.body.error]).toEqual([400, 'invalid_grant']);
});

test('the hosted pages do not sign the member in, by password or in a browser that was signed in', async () => {
  const person = browser();
  const first = await signIn(person);
  expect([isAtApplication(first), (await exchange(first)).status]).toEqual([true, 200]);
  await leave();
  expect(isAtApplication(await person.open(await authorize()))).toBe(false);
  expect(isAtApplication(await signIn())).toBe(false);
});

test('a member who returns signs in again', async () => {
  await leave();
  const on = patch({ op: 'replace', path: 'active', value: true });
  expect((await provider.send('PATCH', `/Users/${scimId}`, on)).status).toBe(200);
  const page = await signIn();
  expect([isAtApplication(page), (await exchange(page)).status]).toEqual([true, 200]);
});

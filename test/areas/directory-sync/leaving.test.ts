import { beforeEach, expect, test } from '@jest/globals';

import { browser, type Page } from '../../support/browser.ts';
import { advance, call, reset, service } from '../../support/service.ts';
import { delegate, givePermissions, newBlueprint, readState, refresh as refreshAgent } from '../agents/support.ts';
import { authorizeUrl, isAtApplication, PASSWORD, register, type SignedIn } from '../pages/application.ts';
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
  return call<SignedIn & { error?: string }>('POST', '/user_management/authenticate', body, { apiKey: null });
}

test('a code that was issued before its user left the directory is not exchanged', async () => {
  const page = await signIn();
  expect(isAtApplication(page)).toBe(true);
  await leave();
  const response = await exchange(page);
  expect([response.status, response.body.error]).toEqual([400, 'invalid_grant']);
});

test('the hosted pages do not sign in a member who has left the directory, by password or in a browser that was signed in', async () => {
  const person = browser();
  const first = await signIn(person);
  expect([isAtApplication(first), (await exchange(first)).status]).toEqual([true, 200]);
  await leave();
  expect(isAtApplication(await person.open(await authorize()))).toBe(false);
  expect(isAtApplication(await signIn())).toBe(false);
});

/** The maximum time in ms in which a leaver may still be accepted anywhere. */
const LIMIT_MS = 1_000;

test('a user who leaves the directory is rejected everywhere within a second of the request, also if it is sent twice at once', async () => {
  await givePermissions('posts:read');
  const blueprintId = await newBlueprint();
  const person = browser();
  const { body: granted } = await exchange(await signIn(person));
  const issued = await signIn();
  const member = { token: granted.access_token };
  const agent = (await delegate(blueprintId, member)).body;
  const owner = { name: 'Laptop', organization_id: provider.directory.organization_id };
  const key = await call<{ value: string }>('POST', `/user_management/users/${granted.user.id}/api_keys`, owner);
  const validateKey = async () =>
    (await call<{ api_key: object | null }>('POST', '/api_keys/validations', { value: key.body.value })).body.api_key;
  expect([await validateKey(), await readState(blueprintId, agent.access_token)]).toEqual([
    expect.any(Object),
    'valid',
  ]);
  const url = await authorize();
  const { clientId, apiKey } = await service();
  const renew = { client_id: clientId, client_secret: apiKey, grant_type: 'refresh_token' };

  const startedAt = performance.now();
  const left = await Promise.all([1, 2].map(() => provider.send('PATCH', `/Users/${scimId}`, OFF)));
  expect(left.map(({ status }) => status)).toEqual([200, 200]);
  const places: Record<string, Promise<unknown>> = {
    'a refresh': call<{ error?: string }>('POST', '/user_management/authenticate', {
      ...renew,
      refresh_token: granted.refresh_token,
    }).then(({ body }) => body.error),
    'the exchange of a code': exchange(issued).then(({ body }) => body.error),
    'a hosted page': person.open(url).then(isAtApplication),
    'a new token of an agent': delegate(blueprintId, member).then(({ body }) => body.code),
    'the validation of a token of an agent': readState(blueprintId, agent.access_token),
    'a refresh of an agent': refreshAgent(blueprintId, agent.refresh_token).then(({ body }) => body.code),
  };
  const seen = await Promise.all(
    Object.entries(places).map(async ([place, response]) => [place, await response] as const),
  );
  const takenMs = performance.now() - startedAt;
  expect(Object.fromEntries(seen)).toEqual({
    'a refresh': 'invalid_grant',
    'the exchange of a code': 'invalid_grant',
    'a hosted page': false,
    'a new token of an agent': 'user_session_ended',
    'the validation of a token of an agent': expect.stringMatching(/^(session_revoked|user_session_ended)$/),
    'a refresh of an agent': expect.stringMatching(/^(session_revoked|user_session_ended)$/),
  });
  expect(takenMs).toBeLessThan(LIMIT_MS);
  // The instance that has just validated the key may accept it for five seconds.
  await advance(6);
  expect(await validateKey()).toBeNull();
  expect(isAtApplication(await signIn())).toBe(false);
});

test('a member who returns signs in again', async () => {
  await leave();
  const on = patch({ op: 'replace', path: 'active', value: true });
  expect((await provider.send('PATCH', `/Users/${scimId}`, on)).status).toBe(200);
  const page = await signIn();
  expect([isAtApplication(page), (await exchange(page)).status]).toEqual([true, 200]);
});

import { beforeEach, expect, test } from '@jest/globals';

import { cutText } from '../../functions/kernel/text.ts';
import { valueAt } from '../../functions/connections/pipes/oauth/token-response.ts';
import { ProviderFailure } from '../../functions/connections/pipes/oauth/failure.ts';
import { oneLine } from '../../functions/kernel/messages/text.ts';
import { readProfile } from '../../functions/sign-in/social/exchange/profile.ts';
import { keyName } from '../../functions/connections/vault/key/rules.ts';
import { call, reset, service } from '../support/service.ts';
import { addUser } from '../support/users.ts';

/**
 * A character of two UTF-16 units. Text is truncated at many places of the service, and none of them may leave half of a
 * surrogate pair.
 */
const FACE = '😀';
const HALF = '\ud83d';
/** A letter with two UTF-16 units: Deseret small long I. */
const LETTER = '𐐨';

beforeEach(() => reset());

test('an API key that ends in an emoji is stored, and its masked form has only whole characters', async () => {
  const user = await addUser('grace@example.com');
  const made = await call('POST', '/data-integrations', {
    provider: 'with-keys',
    ownership: 'user',
    enabled: true,
    auth_methods: ['api_key'],
    custom_provider: {
      name: 'with-keys',
      authorization_url: 'https://example.com/a',
      token_url: 'https://example.com/t',
    },
  });
  expect(made.status).toBe(201);
  const body = { user_id: user, secret: `abcdefghij${FACE}xyz` };
  const { status, body: connection } = await call('PUT', '/data-integrations/with-keys/api-key', body);
  expect([status, connection.api_key_last_4]).toEqual([200, `${FACE}xyz`]);
});

test('a client secret of a provider with an emoji near its end is stored, and its masked form has only whole characters', async () => {
  const body = { client_id: 'a', client_secret: `abcdefghij${FACE}xyz` };
  const response = await call('PUT', '/x/social/providers/GoogleOAuth', body);
  expect([response.status, response.body.client_secret_last_four]).toEqual([200, `${FACE}xyz`]);
});

test('an organization is found by a word that is longer than the search index stores', async () => {
  const name = `${'a'.repeat(63)}${LETTER}${LETTER}`;
  expect((await call('POST', '/organizations', { name })).status).toBe(201);
  for (const search of [name, cutText(name, 0, 64), 'aaa']) {
    const found = await call<{ data: { name: string }[] }>(
      'GET',
      `/organizations?search=${encodeURIComponent(search)}`,
    );
    expect(found.body.data.map((one) => one.name)).toEqual([name]);
  }
});

test('an error truncates a member name that ends in an emoji at a whole character', async () => {
  const name = `${'a'.repeat(95)}${FACE.repeat(10)}`;
  const twice = await call<{ message: string }>('POST', '/organizations', undefined, {
    rawBody: `{"name":"x","${name}":1,"${name}":2}`,
  });
  expect([twice.status, twice.body.message.isWellFormed()]).toEqual([400, true]);
  expect(twice.body.message).toContain(`${'a'.repeat(95)}${FACE.repeat(5)} twice`);
});

test('a user agent that is too long is truncated at a whole character', async () => {
  const account = { email: 'ada@example.com', password: 'correct horse 9 battery' };
  const user = await call<{ id: string }>('POST', '/user_management/users', { ...account, email_verified: true });
  const { clientId, apiKey } = await service();
  const { status } = await call('POST', '/user_management/authenticate', {
    grant_type: 'password',
    client_id: clientId,
    client_secret: apiKey,
    ...account,
    user_agent: `${'x'.repeat(511)}${FACE}y`,
  });
  expect(status).toBe(200);
  const listed = await call<{ data: { user_agent: string }[] }>(
    'GET',
    `/user_management/users/${user.body.id}/sessions`,
  );
  expect(listed.body.data[0]?.user_agent).toBe(`${'x'.repeat(511)}${FACE}`);
});

test('a provider’s error text is truncated at a whole character, and half of a surrogate pair in it is replaced', () => {
  const [error, description] = [`${'e'.repeat(199)}${FACE}`, `${'d'.repeat(499)}${FACE}${HALF}`];
  const failure = new ProviderFailure('rejected', error, description);
  expect([failure.providerError, failure.providerDescription]).toEqual([error, `${'d'.repeat(499)}${FACE}`]);
  expect(new ProviderFailure('rejected', `no${HALF}`).providerError).toBe('no\ufffd');
  expect(valueAt({ name: `${'n'.repeat(499)}${FACE}` }, 'name')).toBe(`${'n'.repeat(499)}${FACE}`);
  expect(valueAt({ name: `Ada${HALF}` }, 'name')).toBe('Ada\ufffd');
  const claims = { iss: 'https://example.com', sub: '1', email: 'a@example.com', email_verified: true };
  const profile = readProfile({} as never, { ...claims, name: `${'n'.repeat(199)}${FACE}${FACE}` });
  expect(profile.name).toBe(`${'n'.repeat(199)}${FACE}`);
});

test('a mail subject and a key name are truncated at a whole character', () => {
  expect(oneLine(`${FACE}${FACE}${FACE}`, 2)).toBe(`${FACE}…`);
  expect(oneLine(`a${HALF}`, 2)).toBe('a\ufffd');
  expect(keyName({ a: `${'v'.repeat(197)}${FACE}` })).toBe(`a=${'v'.repeat(197)}${FACE}`);
});

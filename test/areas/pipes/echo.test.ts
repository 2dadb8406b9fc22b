import { beforeEach, describe, expect, test } from '@jest/globals';

import { browser } from '../../support/browser.ts';
import { receiver, type Receiver } from '../../support/receiver.ts';
import { call, idle, reset } from '../../support/service.ts';
import { addMembership, addUser } from '../../support/users.ts';
import { authorize, EVENTS, integrate, SLUG, vend } from './connection.ts';
import { newOrganization } from './integration.ts';

/** The values that no response may contain, in any encoding. */
const SECRET = 'CANARY client-secret/+%&"ü 0123456789';
const CODE = 'CANARY-code-abcdefghijklmnop';
const REFRESH = 'CANARY-refresh-token-0123456789';
const RETURN_TO = 'https://app.example.com/connected';

/** A token endpoint that repeats the request, like debug modes, in several encodings. */
let endpoint: Receiver;
let hooks: Receiver;
let user: string;

beforeEach(async () => {
  await reset();
  endpoint = await receiver('/token');
  endpoint.respondWith(({ body, headers }) => {
    const { authorization = '' } = headers;
    const basic = Buffer.from(authorization.replace('Basic ', ''), 'base64').toString();
    const plain = JSON.stringify(Object.fromEntries(new URLSearchParams(body)));
    const seen = [body, plain, authorization, basic].join(' | ');
    const repeated = { error: `bad ${body.slice(0, 150)}`, error_description: `${seen} | ${encodeURIComponent(seen)}` };
    return { status: 400, headers: { 'content-type': 'application/json' }, body: JSON.stringify(repeated) };
  });
  hooks = await receiver();
  await call('POST', '/webhook_endpoints', { endpoint_url: hooks.url, events: EVENTS });
  await call('POST', '/user_management/redirect_uris', { uri: RETURN_TO });
  user = await addUser();
});

const provider = () => ({ authorizationUrl: 'https://third-party.example/authorize', tokenUrl: endpoint.url });
const credentials = { type: 'custom', client_id: 'gatehouse-client', client_secret: SECRET };

/**
 * Fails if any of the texts contains a secret of a request that the token endpoint received, in plain text or encoded.
 */
function expectNoSecret(...texts: readonly string[]): void {
  expect(endpoint.requests.length).toBeGreaterThan(0);
  const sent = endpoint.requests.flatMap(({ body, headers }) => {
    const isJson = headers['content-type']?.includes('json') === true;
    const members = isJson
      ? (JSON.parse(body) as Record<string, string>)
      : Object.fromEntries(new URLSearchParams(body));
    const { grant_type: _grant, client_id: _client, redirect_uri: _redirect, scope: _scope, ...secret } = members;
    return [...Object.values(secret), ...(headers.authorization === undefined ? [] : [headers.authorization.slice(6)])];
  });
  for (const text of [...texts, ...texts.map((each) => decodeURIComponent(each.replaceAll('%', '%25')))]) {
    expect(text).not.toContain('CANARY');
    for (const secret of [...sent, SECRET]) {
      expect(text).not.toContain(secret);
      expect(text).not.toContain(encodeURIComponent(secret));
    }
  }
}

/** Sends the browser back from the provider with a code. @returns its last address, and the page */
async function comeBack(more: Record<string, unknown> = {}) {
  const address = new URL(await authorize(user, more));
  const { redirect_uri = '', state = '' } = Object.fromEntries(address.searchParams);
  return browser().open(`${redirect_uri}?${new URLSearchParams({ state, code: CODE }).toString()}`);
}

const listed = async (): Promise<string> => {
  await idle();
  return JSON.stringify((await call('GET', `/events?${EVENTS.map((event) => `events=${event}`).join('&')}`)).body);
};

describe('if a provider repeats the request in its response, no secret', () => {
  test.each([
    ['a form', {}],
    ['JSON', { token_body_content_type: 'application/json' }],
    ['a Basic header', { authenticate_via: 'basic_auth_header' }],
  ])('that was sent as %s appears in events, webhooks, pages or redirects', async (_form, definition) => {
    await integrate(provider(), definition, { credentials });
    const { url } = await comeBack({ return_to: RETURN_TO });
    expect(Object.fromEntries(new URL(url).searchParams)).toEqual({
      error: 'rejected',
      error_description: "The provider's token endpoint failed: rejected",
      state: expect.any(String),
    });
    const { text } = await comeBack();
    await idle();
    const delivered = hooks.requests.map(({ body }) => body);
    expect(delivered).toHaveLength(4);
    expect(delivered[0]).toContain('[removed]');
    expectNoSecret(url, text, await listed(), ...delivered);
  });

  test('of a refresh appears in the response to the caller', async () => {
    await integrate(provider(), {}, { credentials });
    const imported = await call('POST', `/user_management/users/${user}/connected_accounts/${SLUG}`, {
      access_token: 'an-access-token-that-expired',
      refresh_token: REFRESH,
      expires_at: '2020-01-01T00:00:00.000Z',
    });
    expect(imported.status).toBe(201);
    const response = await vend(user);
    expect([response.status, response.body.code]).toEqual([400, 'provider_refused']);
    expect(response.body.message).toContain('[removed]');
    const account = await call('GET', `/user_management/users/${user}/connected_accounts/${SLUG}`);
    expectNoSecret(JSON.stringify([response.body, account.body]), await listed());
  });

  test('of an organization’s client credentials appears in the response to the caller', async () => {
    const organization = await newOrganization();
    await addMembership(user, organization);
    await integrate(provider(), {}, { auth_methods: ['client_credentials'], credentials: undefined });
    const path = `/data-integrations/${SLUG}/client-credentials`;
    const owner = { user_id: user, organization_id: organization };
    const added = await call('PUT', path, { ...owner, client_id: 'tenant', client_secret: SECRET });
    const response = await vend(user, { organization_id: organization });
    expectNoSecret(JSON.stringify([added.body, response.body]), await listed());
  });
});

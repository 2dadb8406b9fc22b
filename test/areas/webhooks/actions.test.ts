import { beforeEach, describe, expect, test } from '@jest/globals';

import { browser } from '../../support/browser.ts';
import { type Receiver, receiver } from '../../support/receiver.ts';
import { addFault, advance, call, clearFaults, reset, service } from '../../support/service.ts';
import { authorizeUrl, mailedCode, PASSWORD, register, REDIRECT_URI } from '../pages/application.ts';
import { forgingProvider } from '../social/forging-provider.ts';
import { configure, signIn as signInThroughProvider } from '../social/sign-in.ts';
import { setUp, signIn as signInThroughConnection, startUrl } from '../sso/identity-provider.ts';
import {
  contextIn,
  decide,
  denials,
  EMAIL,
  endpoint,
  type Granted,
  listExecutions,
  makeUser,
  signIn,
} from './action-endpoint.ts';

let asked: Receiver;

beforeEach(async () => {
  await reset();
  asked = await receiver('/actions');
});

const listSessions = async (userId: string): Promise<unknown[]> =>
  (await call<{ data: unknown[] }>('GET', `/user_management/users/${userId}/sessions`)).body.data;

const usersWith = async (email: string): Promise<unknown[]> =>
  (await call<{ data: unknown[] }>('GET', `/user_management/users?email=${email}`)).body.data;

describe('an authentication action', () => {
  test('is asked with user, organization, membership and client, in a request that the official SDK verifies', async () => {
    const userId = await makeUser();
    const organization = await call<{ id: string }>('POST', '/organizations', { name: 'Acme' });
    const membership = { user_id: userId, organization_id: organization.body.id };
    await call('POST', '/user_management/organization_memberships', membership);
    const made = await endpoint(asked, 'authentication', { verdict: 'Allow' });
    expect((await signIn()).status).toBe(200);
    expect(asked.requests).toHaveLength(1);
    expect(await contextIn(asked.requests[0], made)).toMatchObject({
      id: expect.stringMatching(/^action_execution_/),
      object: 'authentication_action_context',
      user: { id: userId, email: EMAIL },
      organization: { id: organization.body.id, name: 'Acme' },
      organizationMembership: { organizationId: organization.body.id, role: { slug: 'member' } },
      authenticationMethod: 'Password',
      ipAddress: '198.51.100.7',
      userAgent: 'Firefox',
    });
    expect(await listExecutions(made)).toEqual([]);
  });

  test('is asked when a session moves to another organization, which it may deny', async () => {
    const userId = await makeUser();
    const organizations: string[] = [];
    for (const name of ['Entered first', 'Guarded']) {
      const { id: organization_id } = (await call<{ id: string }>('POST', '/organizations', { name })).body;
      organizations.push(organization_id);
      await call('POST', '/user_management/organization_memberships', { user_id: userId, organization_id });
    }
    const [first = '', guarded = ''] = organizations;
    const { clientId, apiKey } = await service();
    const send = (members: object) =>
      call<Granted & { refresh_token: string; pending_authentication_token: string }>(
        'POST',
        '/user_management/authenticate',
        { client_id: clientId, client_secret: apiKey, ...members },
        { apiKey: null },
      );
    const { pending_authentication_token } = (await signIn()).body as unknown as Record<string, string>;
    const grant_type = 'urn:workos:oauth:grant-type:organization-selection';
    const entered = await send({ grant_type, pending_authentication_token, organization_id: first });
    expect(entered.status).toBe(200);
    const { refresh_token } = entered.body;
    const made = await endpoint(asked, 'authentication', { verdict: 'Deny', errorMessage: 'Not from here.' });
    await advance(6);
    const move = { grant_type: 'refresh_token', refresh_token, organization_id: guarded };
    const moved = await send(move);
    expect([moved.status, moved.body]).toMatchObject([
      400,
      { error: 'access_denied', error_description: 'Not from here.' },
    ]);
    expect(await contextIn(asked.requests[0], made)).toMatchObject({
      organization: { id: guarded },
      organizationMembership: { organizationId: guarded },
      authenticationMethod: 'Password',
    });
    const stayed = await send({ grant_type: 'refresh_token', refresh_token });
    expect(stayed.status).toBe(200);
    expect(asked.requests).toHaveLength(1);
    decide(asked, made, { verdict: 'Allow' });
    expect((await send({ ...move, refresh_token: stayed.body.refresh_token })).status).toBe(200);
  });

  test('that denies opens no session, shows its message and emits its event', async () => {
    const userId = await makeUser();
    const made = await endpoint(asked, 'authentication', {
      verdict: 'Deny',
      errorMessage: 'Outside of office hours 🙂.',
    });
    const { status, body } = await signIn();
    expect([status, body]).toMatchObject([
      400,
      { error: 'access_denied', error_description: 'Outside of office hours 🙂.' },
    ]);
    expect(await listSessions(userId)).toEqual([]);
    const [execution] = await listExecutions(made);
    expect(execution).toMatchObject({ verdict: 'Deny', failure: null, user_id: userId, http_status: 200 });
    const [event] = await denials('authentication', 1);
    expect(event?.data).toEqual({
      action_endpoint_id: made.id,
      action_execution_id: execution?.id,
      type: 'authentication',
      verdict: 'Deny',
      user_id: userId,
      organization_id: null,
      email: EMAIL,
      ip_address: '198.51.100.7',
      user_agent: 'Firefox',
    });
    decide(asked, made, { verdict: 'Deny' });
    expect((await signIn()).body.error_description).toBe('An action of the environment denied the sign-in.');
  });

  test('is not asked about a wrong password', async () => {
    await makeUser();
    await endpoint(asked, 'authentication', { verdict: 'Allow' });
    expect((await signIn({ password: 'wrong' })).body).toMatchObject({ code: 'invalid_credentials' });
    expect(asked.requests).toHaveLength(0);
  });

  test('is asked once by a call that is applied again after a conflict', async () => {
    await makeUser();
    await endpoint(asked, 'authentication', { verdict: 'Allow' });
    await addFault({ target: 'table', kind: 'conflict', operations: ['TransactWriteItems'], count: 2 });
    expect((await signIn()).status).toBe(200);
    await clearFaults();
    expect(asked.requests).toHaveLength(1);
  });

  test('that is disabled or deleted is not asked', async () => {
    await makeUser();
    const made = await endpoint(asked, 'authentication', { verdict: 'Deny' });
    await call('PATCH', `/x/actions/endpoints/${made.id}`, { status: 'disabled' });
    expect((await signIn()).status).toBe(200);
    await call('PATCH', `/x/actions/endpoints/${made.id}`, { status: 'enabled' });
    expect((await signIn()).status).toBe(400);
    expect((await call('DELETE', `/x/actions/endpoints/${made.id}`)).status).toBe(204);
    await advance(6);
    expect((await signIn()).status).toBe(200);
    expect(asked.requests).toHaveLength(1);
    await endpoint(asked, 'authentication', { verdict: 'Allow' });
  });

  test('denies on the page of a browser, and at a second application where the browser is signed in', async () => {
    await register();
    await makeUser();
    const made = await endpoint(asked, 'authentication', { verdict: 'Allow' });
    const person = browser();
    const signInAtPage = async () => {
      const page = await person.submit(await person.open(await authorizeUrl()), { email: EMAIL });
      return person.submit(page, { password: PASSWORD });
    };
    expect((await signInAtPage()).url).toContain(REDIRECT_URI);
    decide(asked, made, { verdict: 'Deny', errorMessage: '<b>Closed</b> on Sundays.' });
    const silent = await person.open(await authorizeUrl({ prompt: 'none' }));
    const response = new URL(silent.url).searchParams;
    expect([response.get('error'), response.get('error_description')]).toEqual([
      'access_denied',
      '<b>Closed</b> on Sundays.',
    ]);
    const rejected = await signInAtPage();
    expect([rejected.status, rejected.text.includes('&lt;b&gt;Closed&lt;/b&gt; on Sundays.')]).toEqual([422, true]);
  });
});

describe('an action that does not decide', () => {
  const failures: [string, Parameters<Receiver['respondWith']>[0]][] = [
    ['http_status', { status: 500 }],
    ['http_status', { status: 302, headers: { location: 'http://127.0.0.1:1/' } }],
    ['invalid_response', { body: 'Allow' }],
    [
      'invalid_signature',
      { body: '{"object":"authentication_action_response","payload":{"timestamp":1},"signature":"00"}' },
    ],
    ['timeout', { delayMs: 3_000 }],
    ['response_too_large', { body: 'x'.repeat(20_000) }],
  ];

  test.each(failures)('because of %s denies or allows by its setting, and is listed', async (failure, response) => {
    await makeUser();
    const made = await endpoint(asked, 'authentication', undefined, { timeout_ms: 500 });
    asked.respondWith(response);
    const startedAt = performance.now();
    expect((await signIn()).body).toMatchObject({ error: 'access_denied' });
    expect(performance.now() - startedAt).toBeLessThan(2_900);
    await call('PATCH', `/x/actions/endpoints/${made.id}`, { on_failure: 'allow' });
    expect((await signIn()).status).toBe(200);
    const listed = await listExecutions(made);
    expect(listed.map(({ verdict, failure: code }) => [verdict, code])).toEqual([
      ['Allow', failure],
      ['Deny', failure],
    ]);
    await denials('authentication', 1);
  });

  test('because nothing listens at its address denies, and its executions expire after 30 days', async () => {
    await makeUser();
    const made = await endpoint(asked, 'authentication', undefined, { endpoint_url: 'http://127.0.0.1:1/actions' });
    expect((await signIn()).body).toMatchObject({ error: 'access_denied' });
    expect(await listExecutions(made)).toMatchObject([{ failure: 'connection_failed', http_status: null }]);
    await advance(30 * 86_400 + 1);
    expect(await listExecutions(made)).toEqual([]);
  });
});

describe('a registration action', () => {
  const signUp = async (email: string) => {
    const person = browser();
    const page = await person.open(await authorizeUrl({ screen_hint: 'sign-up' }));
    return person.submit(page, { email, password: PASSWORD, first_name: 'Ada', last_name: 'Lovelace' });
  };

  test('that denies a sign-up creates no user, and responds alike for an address that has an account', async () => {
    await register();
    const made = await endpoint(asked, 'user_registration', { verdict: 'Deny', errorMessage: 'By invitation only.' });
    const rejected = await signUp(EMAIL);
    expect([rejected.status, rejected.text.includes('By invitation only.')]).toEqual([422, true]);
    expect(await usersWith(EMAIL)).toEqual([]);
    expect(await contextIn(asked.requests[0], made)).toMatchObject({
      object: 'user_registration_action_context',
      userData: { object: 'user_data', email: EMAIL, firstName: 'Ada', lastName: 'Lovelace' },
      authenticationMethod: 'Password',
    });
    await makeUser();
    const known = await signUp(EMAIL);
    expect([known.status, known.text.includes('By invitation only.')]).toEqual([422, true]);
    const events = await denials('user_registration', 2);
    expect(events.map(({ data }) => [data.email, data.type])).toEqual([
      [EMAIL, 'user_registration'],
      [EMAIL, 'user_registration'],
    ]);
  });

  test('that allows a sign-up is followed by the code', async () => {
    await register();
    await endpoint(asked, 'user_registration', { verdict: 'Allow' });
    const page = await signUp(EMAIL);
    expect(page.url).toContain('/hosted/');
    expect(await mailedCode(EMAIL)).toMatch(/^\d{6}$/);
    expect(await usersWith(EMAIL)).toHaveLength(1);
  });

  test('with the verdict Deny rejects the code of a new person who signs up without a password', async () => {
    await register();
    await call('PUT', '/x/authentication/settings', { methods: { password: false, magic_auth: true } });
    await endpoint(asked, 'user_registration', { verdict: 'Deny', errorMessage: 'By invitation only.' });
    const person = browser();
    const page = await person.open(await authorizeUrl({ screen_hint: 'sign-up' }));
    const asking = await person.submit(page, { email: EMAIL });
    const rejected = await person.submit(asking, { code: await mailedCode(EMAIL) });
    expect([rejected.status, rejected.text.includes('By invitation only.')]).toEqual([422, true]);
    expect(await usersWith(EMAIL)).toEqual([]);
  });

  test('is not asked when the code of an existing user is redeemed', async () => {
    const mailed = async () => {
      const { body } = await call<{ code: string }>('POST', '/user_management/magic_auth', { email: EMAIL });
      const grant_type = 'urn:workos:oauth:grant-type:magic-auth:code';
      return signIn({ grant_type, code: body.code });
    };
    await makeUser();
    await endpoint(asked, 'user_registration', { verdict: 'Deny' });
    expect((await mailed()).status).toBe(200);
    expect(asked.requests).toHaveLength(0);
  });

  test('that denies ends a sign-up through a provider with an error at the application', async () => {
    await register();
    const provider = await forgingProvider();
    await configure(provider.url);
    await endpoint(asked, 'user_registration', { verdict: 'Deny', errorMessage: 'No new accounts today.' });
    const { result } = await signInThroughProvider();
    expect(result).toMatchObject({ error: 'access_denied', error_description: 'No new accounts today.' });
    expect(await usersWith(String(provider.account.email))).toEqual([]);
  });

  test('that denies ends a sign-up through a connection with an error at the application', async () => {
    const { connection } = await setUp();
    await endpoint(asked, 'user_registration', { verdict: 'Deny', errorMessage: 'No new accounts today.' });
    const outcome = await signInThroughConnection(
      await startUrl('/user_management/authorize', { connection_id: connection.id }),
    );
    expect(outcome).toMatchObject({ error: 'access_denied', error_description: 'No new accounts today.' });
    expect(await usersWith('ada@acme.example')).toEqual([]);
  });

  test('is not asked about users that the API creates', async () => {
    await endpoint(asked, 'user_registration', { verdict: 'Deny' });
    await makeUser();
    expect(await usersWith(EMAIL)).toHaveLength(1);
    expect(asked.requests).toHaveLength(0);
  });
});

import { beforeEach, describe, expect, test } from '@jest/globals';

import { browser } from '../../support/browser.ts';
import { type ReceivedRequest, type Receiver, receiver } from '../../support/receiver.ts';
import {
  addFault,
  advance,
  type Answer,
  call,
  clearFaults,
  eventually,
  reset,
  sdk,
  service,
} from '../../support/service.ts';
import { authorizeUrl, mailedCode, PASSWORD, register, REDIRECT_URI } from '../pages/application.ts';
import { forgingProvider } from '../social/forging-provider.ts';
import { configure, signIn as signInThroughProvider } from '../social/sign-in.ts';
import { setUp, signIn as signInThroughConnection, startUrl } from '../sso/identity-provider.ts';
import { eventsNamed } from '../sso/support.ts';

const EMAIL = 'ada@example.com';

type ActionType = 'authentication' | 'user_registration';
type Decision = { verdict: 'Allow' } | { verdict: 'Deny'; errorMessage?: string };

interface Endpoint {
  id: string;
  type: ActionType;
  secret: string;
  next_secret: string | null;
}

let asked: Receiver;

beforeEach(async () => {
  await reset();
  asked = await receiver('/actions');
});

/** Creates an endpoint, which must succeed, and has it decide. */
async function endpoint(type: ActionType, decision?: Decision, more: Record<string, unknown> = {}): Promise<Endpoint> {
  const body = { type, endpoint_url: asked.url, ...more };
  const answer = await call<Endpoint>('POST', '/x/actions/endpoints', body);
  expect([answer.status, answer.body]).toMatchObject([201, { object: 'action_endpoint', status: 'enabled' }]);
  if (decision !== undefined) decide(answer.body, decision);
  return answer.body;
}

/** Has the endpoint respond as the official SDK does. */
function decide({ type, secret }: Endpoint, decision: Decision, by = secret): void {
  asked.answerWith(async () => ({
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(await sdk().actions.signResponse({ type, ...decision } as never, by)),
  }));
}

/** Verifies a request as the official SDK does, and returns its context. */
async function contextIn(request: ReceivedRequest | undefined, { secret }: Endpoint) {
  const sigHeader = Object.values(request?.headers ?? {}).find((value) => String(value).startsWith('t='));
  const payload = JSON.parse(request?.body ?? '{}') as Record<string, unknown>;
  return sdk().actions.constructAction({ payload, sigHeader: String(sigHeader), secret });
}

interface Granted {
  access_token?: string;
  error?: string;
  error_description?: string;
  code?: string;
  message?: string;
}

async function signIn(members: Record<string, string> = {}): Promise<Answer<Granted>> {
  const { clientId, apiKey } = await service();
  const credentials = { client_id: clientId, client_secret: apiKey, grant_type: 'password' };
  const client = { ip_address: '198.51.100.7', user_agent: 'Firefox' };
  const body = { ...credentials, email: EMAIL, password: PASSWORD, ...client, ...members };
  return call<Granted>('POST', '/user_management/authenticate', body, { apiKey: null });
}

async function makeUser(): Promise<string> {
  const body = { email: EMAIL, password: PASSWORD, email_verified: true };
  return (await call<{ id: string }>('POST', '/user_management/users', body)).body.id;
}

const sessionsOf = async (userId: string): Promise<unknown[]> =>
  (await call<{ data: unknown[] }>('GET', `/user_management/users/${userId}/sessions`)).body.data;

/** The denials, once as many of them are listed. */
const denials = (type: ActionType, count: number) =>
  eventually(
    () => eventsNamed(`action.${type}.denied`),
    (found) => found.length === count,
  );

const executionsOf = async ({ id }: Endpoint) =>
  (await call<{ data: Record<string, unknown>[] }>('GET', `/x/actions/endpoints/${id}/executions`)).body.data;

const usersWith = async (email: string): Promise<unknown[]> =>
  (await call<{ data: unknown[] }>('GET', `/user_management/users?email=${email}`)).body.data;

describe('an authentication action', () => {
  test('is asked with user, organization, membership and client, in a request that the official SDK verifies', async () => {
    const userId = await makeUser();
    const organization = await call<{ id: string }>('POST', '/organizations', { name: 'Acme' });
    const membership = { user_id: userId, organization_id: organization.body.id };
    await call('POST', '/user_management/organization_memberships', membership);
    const made = await endpoint('authentication', { verdict: 'Allow' });
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
    expect(await executionsOf(made)).toEqual([]);
  });

  test('that denies opens no session, tells its message and emits its event', async () => {
    const userId = await makeUser();
    const made = await endpoint('authentication', { verdict: 'Deny', errorMessage: 'Outside of office hours 🙂.' });
    const { status, body } = await signIn();
    expect([status, body]).toMatchObject([
      400,
      { error: 'access_denied', error_description: 'Outside of office hours 🙂.' },
    ]);
    expect(await sessionsOf(userId)).toEqual([]);
    const [execution] = await executionsOf(made);
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
    decide(made, { verdict: 'Deny' });
    expect((await signIn()).body.error_description).toBe('An action of the environment denied the sign-in.');
  });

  test('is not asked about a wrong password', async () => {
    await makeUser();
    await endpoint('authentication', { verdict: 'Allow' });
    expect((await signIn({ password: 'wrong' })).body).toMatchObject({ code: 'invalid_credentials' });
    expect(asked.requests).toHaveLength(0);
  });

  test('is asked once by a call that is applied again after a conflict', async () => {
    await makeUser();
    await endpoint('authentication', { verdict: 'Allow' });
    await addFault({ target: 'table', kind: 'conflict', operations: ['TransactWriteItems'], count: 2 });
    expect((await signIn()).status).toBe(200);
    await clearFaults();
    expect(asked.requests).toHaveLength(1);
  });

  test('that is disabled or deleted is not asked', async () => {
    await makeUser();
    const made = await endpoint('authentication', { verdict: 'Deny' });
    await call('PATCH', `/x/actions/endpoints/${made.id}`, { status: 'disabled' });
    expect((await signIn()).status).toBe(200);
    await call('PATCH', `/x/actions/endpoints/${made.id}`, { status: 'enabled' });
    expect((await signIn()).status).toBe(400);
    expect((await call('DELETE', `/x/actions/endpoints/${made.id}`)).status).toBe(204);
    await advance(6);
    expect((await signIn()).status).toBe(200);
    expect(asked.requests).toHaveLength(1);
    await endpoint('authentication', { verdict: 'Allow' });
  });

  test('denies on the page of a browser, and at a second application where the browser is signed in', async () => {
    await register();
    await makeUser();
    const made = await endpoint('authentication', { verdict: 'Allow' });
    const person = browser();
    const signInAtPage = async () => {
      const page = await person.submit(await person.open(await authorizeUrl()), { email: EMAIL });
      return person.submit(page, { password: PASSWORD });
    };
    expect((await signInAtPage()).url).toContain(REDIRECT_URI);
    decide(made, { verdict: 'Deny', errorMessage: '<b>Closed</b> on Sundays.' });
    const silent = await person.open(await authorizeUrl({ prompt: 'none' }));
    const answer = new URL(silent.url).searchParams;
    expect([answer.get('error'), answer.get('error_description')]).toEqual([
      'access_denied',
      '<b>Closed</b> on Sundays.',
    ]);
    const rejected = await signInAtPage();
    expect([rejected.status, rejected.text.includes('&lt;b&gt;Closed&lt;/b&gt; on Sundays.')]).toEqual([422, true]);
  });
});

describe('an action that does not decide', () => {
  const failures: [string, Parameters<Receiver['answerWith']>[0]][] = [
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
    const made = await endpoint('authentication', undefined, { timeout_ms: 500 });
    asked.answerWith(response);
    const startedAt = performance.now();
    expect((await signIn()).body).toMatchObject({ error: 'access_denied' });
    expect(performance.now() - startedAt).toBeLessThan(2_900);
    await call('PATCH', `/x/actions/endpoints/${made.id}`, { on_failure: 'allow' });
    expect((await signIn()).status).toBe(200);
    const listed = await executionsOf(made);
    expect(listed.map(({ verdict, failure: code }) => [verdict, code])).toEqual([
      ['Allow', failure],
      ['Deny', failure],
    ]);
    await denials('authentication', 1);
  });

  test('because nothing listens at its address denies, and its executions expire after 30 days', async () => {
    await makeUser();
    const made = await endpoint('authentication', undefined, { endpoint_url: 'http://127.0.0.1:1/actions' });
    expect((await signIn()).body).toMatchObject({ error: 'access_denied' });
    expect(await executionsOf(made)).toMatchObject([{ failure: 'connection_failed', http_status: null }]);
    await advance(30 * 86_400 + 1);
    expect(await executionsOf(made)).toEqual([]);
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
    const made = await endpoint('user_registration', { verdict: 'Deny', errorMessage: 'By invitation only.' });
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
    await endpoint('user_registration', { verdict: 'Allow' });
    const page = await signUp(EMAIL);
    expect(page.url).toContain('/hosted/');
    expect(await mailedCode(EMAIL)).toMatch(/^\d{6}$/);
    expect(await usersWith(EMAIL)).toHaveLength(1);
  });

  test('that denies rejects the code of a new person who signs up without a password', async () => {
    await register();
    await call('PUT', '/x/authentication/settings', { methods: { password: false, magic_auth: true } });
    await endpoint('user_registration', { verdict: 'Deny', errorMessage: 'By invitation only.' });
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
    await endpoint('user_registration', { verdict: 'Deny' });
    expect((await mailed()).status).toBe(200);
    expect(asked.requests).toHaveLength(0);
  });

  test('that denies ends a sign-up through a provider with an error at the application', async () => {
    await register();
    const provider = await forgingProvider();
    await configure(provider.url);
    await endpoint('user_registration', { verdict: 'Deny', errorMessage: 'No new accounts today.' });
    const { result } = await signInThroughProvider();
    expect(result).toMatchObject({ error: 'access_denied', error_description: 'No new accounts today.' });
    expect(await usersWith(String(provider.account.email))).toEqual([]);
  });

  test('that denies ends a sign-up through a connection with an error at the application', async () => {
    const { connection } = await setUp();
    await endpoint('user_registration', { verdict: 'Deny', errorMessage: 'No new accounts today.' });
    const outcome = await signInThroughConnection(
      await startUrl('/user_management/authorize', { connection_id: connection.id }),
    );
    expect(outcome).toMatchObject({ error: 'access_denied', error_description: 'No new accounts today.' });
    expect(await usersWith('ada@acme.example')).toEqual([]);
  });

  test('is not asked about users that the API creates', async () => {
    await endpoint('user_registration', { verdict: 'Deny' });
    await makeUser();
    expect(await usersWith(EMAIL)).toHaveLength(1);
    expect(asked.requests).toHaveLength(0);
  });
});

describe('an action endpoint', () => {
  test('exists once for each type of an environment, and is read, listed and changed', async () => {
    const made = await endpoint('authentication');
    const other = await endpoint('user_registration', undefined, { on_failure: 'allow', timeout_ms: 750 });
    const body = { type: 'authentication', endpoint_url: asked.url };
    expect(await call('POST', '/x/actions/endpoints', body)).toMatchObject({
      status: 409,
      body: { code: 'action_endpoint_exists' },
    });
    expect((await call('GET', `/x/actions/endpoints/${made.id}`)).body).toEqual(made);
    const { body: listed } = await call<{ data: Endpoint[] }>('GET', '/x/actions/endpoints');
    expect(listed.data).toEqual([other, made]);
    expect(other).toMatchObject({ on_failure: 'allow', timeout_ms: 750, next_secret: null });
    const changed = await call('PATCH', `/x/actions/endpoints/${made.id}`, { endpoint_url: `${asked.url}/2` });
    expect([changed.status, changed.body]).toMatchObject([
      200,
      { ...made, endpoint_url: `${asked.url}/2`, updated_at: expect.anything() },
    ]);
  });

  test('exists once for each type although 12 callers create it at the same time', async () => {
    const body = { type: 'authentication', endpoint_url: asked.url };
    const answers = await Promise.all(Array.from({ length: 12 }, () => call('POST', '/x/actions/endpoints', body)));
    const created = answers.filter(({ status }) => status === 201);
    expect(created).toHaveLength(1);
    expect(answers.every(({ status }) => [201, 409, 503].includes(status))).toBe(true);
    const { body: listed } = await call<{ data: unknown[] }>('GET', '/x/actions/endpoints');
    expect(listed.data).toHaveLength(1);
  });

  test.each([
    'http://169.254.169.254/latest',
    'ftp://example.com',
    'https://user:pass@example.com/',
    'https://example.com/#a',
  ])('cannot be at %s', async (endpoint_url) => {
    const rejected = { status: 422, body: { code: 'invalid_url' } };
    expect(await call('POST', '/x/actions/endpoints', { type: 'authentication', endpoint_url })).toMatchObject(
      rejected,
    );
    const { id } = await endpoint('authentication');
    expect(await call('PATCH', `/x/actions/endpoints/${id}`, { endpoint_url })).toMatchObject(rejected);
  });

  test('accepts responses by both secrets during a rotation, and by the next one alone afterwards', async () => {
    await makeUser();
    const made = await endpoint('authentication');
    const path = `/x/actions/endpoints/${made.id}`;
    expect((await call('POST', `${path}/promote_secret`, {})).body).toMatchObject({ code: 'no_rotation' });
    const { body: rotating } = await call<Endpoint>('POST', `${path}/rotate_secret`, {});
    expect([rotating.secret, rotating.next_secret]).toEqual([made.secret, expect.stringMatching(/^whsec_/)]);
    expect((await call('POST', `${path}/rotate_secret`, {})).body).toMatchObject({ code: 'rotation_in_progress' });
    const next = rotating.next_secret ?? '';
    for (const secret of [made.secret, next]) {
      decide(made, { verdict: 'Allow' }, secret);
      expect((await signIn()).status).toBe(200);
      expect(await contextIn(asked.requests.at(-1), made)).toMatchObject({ user: { email: EMAIL } });
    }
    expect((await call<Endpoint>('POST', `${path}/promote_secret`, {})).body).toMatchObject({
      secret: next,
      next_secret: null,
      next_secret_at: null,
    });
    expect((await signIn()).status).toBe(200);
    decide(made, { verdict: 'Allow' });
    expect((await signIn()).body).toMatchObject({ error: 'access_denied' });
  });

  test.each(['authentication', 'user_registration'] as const)(
    'for %s can be tested, which stores nothing',
    async (type) => {
      const made = await endpoint(type, { verdict: 'Deny', errorMessage: 'No.' });
      const tested = await call('POST', `/x/actions/endpoints/${made.id}/test`, {});
      expect([tested.status, tested.body]).toMatchObject([
        200,
        { object: 'action_test', type, verdict: 'Deny', failure: null, error_message: 'No.', http_status: 200 },
      ]);
      expect(await contextIn(asked.requests[0], made)).toMatchObject({ object: `${type}_action_context` });
      expect(await executionsOf(made)).toEqual([]);
      expect(await eventsNamed(`action.${type}.denied`)).toEqual([]);
    },
  );
});

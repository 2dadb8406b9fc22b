import { generateKeyPairSync } from 'node:crypto';

import { beforeEach, describe, expect, test } from '@jest/globals';

import { agree, browser } from '../../support/browser.ts';
import { call, idle, messages, reset, service } from '../../support/service.ts';
import { type ForgingProvider, forgingProvider } from './forging-provider.ts';
import { openIdProvider } from './openid-provider.ts';
import {
  authorizeUrl,
  configure,
  enter,
  grant,
  identities,
  makeUser,
  redeem,
  REDIRECT_URI,
  registerApplication,
  signIn,
  usersWith,
} from './sign-in.ts';

let provider: ForgingProvider;

beforeEach(async () => {
  await reset();
  provider = await forgingProvider();
  await Promise.all([registerApplication(), configure(provider.url)]);
});

const settings = (members: Record<string, unknown>) => call('PUT', '/x/authentication/settings', members);

describe('signing in through a provider', () => {
  test('creates a user the first time, and finds the same user later', async () => {
    provider.account = {
      ...provider.account,
      given_name: 'Ada',
      family_name: 'Lovelace',
      picture: 'https://a.example/p',
    };
    const first = await enter();
    expect(first).toMatchObject({
      authentication_method: 'GoogleOAuth',
      user: { email: 'ada@example.com', email_verified: true, first_name: 'Ada', last_name: 'Lovelace' },
    });
    expect(first.oauth_tokens).toBeUndefined();
    expect(await identities(first.user.id)).toEqual([{ idp_id: '1234', type: 'OAuth', provider: 'GoogleOAuth' }]);
    const again = await enter();
    expect(again.user.id).toBe(first.user.id);
    expect(await identities(first.user.id)).toHaveLength(1);
  });

  test('identifies the user by the account, not by its current email', async () => {
    const { user } = await enter();
    await makeUser('grace@example.com', { email_verified: true });
    provider.account = { sub: '1234', email: 'grace@example.com', email_verified: true };
    expect((await enter()).user).toMatchObject({ id: user.id, email: 'ada@example.com' });
    provider.account = { sub: '1234' };
    expect((await enter()).user.id).toBe(user.id);
  });

  test('shows an identity of GitHub with the provider `GitHubOAuth`, as the contract spells it', async () => {
    await configure(provider.url, 'GitHubOAuth', {
      endpoints: {
        authorization: `${provider.url}/authorize`,
        token: `${provider.url}/token`,
        userinfo: `${provider.url}/user`,
        emails: `${provider.url}/emails`,
      },
    });
    provider.resources = {
      '/user': { id: 42, login: 'ada', name: 'Ada', email: 'public@example.com' },
      '/emails': [
        { email: 'other@example.com', primary: false, verified: true },
        { email: 'ada@example.com', primary: true, verified: true },
      ],
    };
    const { user, authentication_method } = await enter({ provider: 'GitHubOAuth' });
    expect([user.email, authentication_method]).toEqual(['ada@example.com', 'GitHubOAuth']);
    expect(await identities(user.id)).toEqual([{ idp_id: '42', type: 'OAuth', provider: 'GithubOAuth' }]);
  });

  test('returns the provider’s tokens only if its configuration enables that', async () => {
    await configure(provider.url, 'GoogleOAuth', { return_oauth_tokens: true });
    provider.more = { refresh_token: 'theirs', scope: 'openid calendar' };
    const { oauth_tokens } = await enter();
    expect(oauth_tokens).toEqual({
      provider: 'GoogleOAuth',
      access_token: expect.any(String),
      refresh_token: 'theirs',
      expires_at: expect.any(Number),
      scopes: ['openid', 'calendar'],
    });
  });

  test('sends the scopes and parameters of the application to the provider', async () => {
    await enter({
      provider_scopes: 'calendar,drive',
      'provider_query_params[access_type]': 'offline',
      login_hint: 'ada',
    });
    expect(provider.asked[0]).toMatchObject({
      scope: 'openid profile email calendar drive',
      access_type: 'offline',
      login_hint: 'ada',
      response_type: 'code',
    });
  });

  test('creates one user for parallel first sign-ins', async () => {
    const signedIn = await Promise.all(Array.from({ length: 4 }, () => signIn()));
    expect(signedIn.map(({ result: parameters }) => parameters)).toEqual(
      signedIn.map(() => expect.objectContaining({ code: expect.stringMatching(/^auth_code_/) })),
    );
    const users = new Set<string>();
    for (const { result: parameters } of signedIn) users.add((await redeem(parameters.code)).body.user.id);
    expect(users.size).toBe(1);
    await idle();
    expect(await usersWith('ada@example.com')).toHaveLength(1);
    expect(await identities([...users][0] ?? '')).toHaveLength(1);
  });

  test('links at most ten accounts to a user, also in parallel', async () => {
    const id = await makeUser('ada@example.com', { email_verified: true });
    let number = 0;
    const account = { ...provider.account };
    Object.defineProperty(provider, 'account', { get: () => ({ ...account, sub: `account-${(number += 1)}` }) });
    while (number < 8) expect((await signIn()).result.code).toBeDefined();
    await Promise.all(Array.from({ length: 4 }, () => signIn()));
    expect((await signIn()).result).toMatchObject({ error: 'identity_taken' });
    expect(await identities(id)).toHaveLength(10);
  });

  test('allows the provider account of a deleted user to sign up again at once', async () => {
    const { user } = await enter();
    expect((await call('DELETE', `/user_management/users/${user.id}`)).status).toBeLessThan(300);
    const secondVisit = await enter();
    expect(secondVisit.user.id).not.toBe(user.id);
    await idle();
    expect((await enter()).user.id).toBe(secondVisit.user.id);
  });

  test('accepts a response by form_post, as Apple sends it', async () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const private_key = privateKey.export({ type: 'pkcs8', format: 'pem' });
    const apple = { team_id: 'TEAM', key_id: 'KEY', private_key };
    await configure(provider.url, 'AppleOAuth', { client_secret: undefined, apple });
    const person = browser();
    const start = await person.request(await authorizeUrl({ provider: 'AppleOAuth' }));
    const sent = await person.request(new URL(start.headers.get('location') ?? '', start.url).href);
    // A form of another site sends no `Lax` cookie.
    expect(sent.headers.get('set-cookie')).toMatch(/^gatehouse_social_\w+=[^;]+;.*; SameSite=None/);
    const form = await person.open(sent.headers.get('location') ?? '');
    const user = JSON.stringify({ name: { firstName: 'Ada', lastName: 'Lovelace' } });
    const { url } = await person.submit(form, { user });
    const { body } = await redeem(new URL(url).searchParams.get('code') ?? '');
    expect((await person.submit(form, { user })).status).toBe(400);
    expect(body).toMatchObject({
      authentication_method: 'AppleOAuth',
      user: { email: 'ada@example.com', first_name: 'Ada', last_name: 'Lovelace' },
    });
  });

  test('asks for an email if the provider returns none, and verifies it', async () => {
    provider.account = { sub: '1234' };
    const { result: parameters } = await signIn();
    const asked = await redeem(parameters.code);
    expect([asked.status, asked.body.code]).toEqual([403, 'email_completion_required']);
    const given = await grant({
      grant_type: 'urn:gatehouse:oauth:grant-type:email-completion',
      email_completion_token: asked.body.email_completion_token ?? '',
      email: 'ada@example.com',
    });
    expect([given.status, given.body.code]).toEqual([403, 'email_verification_required']);
    const [mail] = await messages('ada@example.com');
    const proved = await grant({
      grant_type: 'urn:gatehouse:oauth:grant-type:email-verification:code',
      pending_authentication_token: given.body.pending_authentication_token ?? '',
      code: /\b\d{6}\b/.exec(mail?.text ?? '')?.[0] ?? '',
    });
    expect([proved.status, proved.body.authentication_method]).toEqual([200, 'GoogleOAuth']);
    expect((await enter()).user.id).toBe(proved.body.user.id);
  });

  test('links an account to the first person who proves an address for it, and never to a second one', async () => {
    provider.account = { sub: '1234' };
    const waiting: { email: string; token: string }[] = [];
    for (const email of ['ada@example.com', 'mallory@example.com']) {
      const asked = await redeem((await signIn()).result.code);
      const given = await grant({
        grant_type: 'urn:gatehouse:oauth:grant-type:email-completion',
        email_completion_token: asked.body.email_completion_token ?? '',
        email,
      });
      waiting.push({ email, token: given.body.pending_authentication_token ?? '' });
    }
    const outcomes = [];
    for (const { email, token } of waiting) {
      const [mail] = await messages(email);
      const code = /\b\d{6}\b/.exec(mail?.text ?? '')?.[0] ?? '';
      const grant_type = 'urn:gatehouse:oauth:grant-type:email-verification:code';
      outcomes.push(await grant({ grant_type, pending_authentication_token: token, code }));
    }
    const [first, second] = outcomes;
    expect([first?.status, second?.status]).toEqual([200, 400]);
    expect((await enter()).user.id).toBe(first?.body.user.id);
  });

  test('is rejected for new users if sign-up is disabled', async () => {
    await settings({ sign_up: false });
    const { result: parameters } = await signIn();
    expect(parameters).toMatchObject({ error: 'sign_up_not_allowed', state: 'of the application' });
    expect(await usersWith('ada@example.com')).toEqual([]);
    const id = await makeUser('ada@example.com', { email_verified: true });
    expect((await enter()).user.id).toBe(id);
  });

  test('is rejected if the environment disables it, also for users who have used it', async () => {
    await enter();
    await settings({ methods: { social: false } });
    expect((await signIn()).result).toMatchObject({ error: 'invalid_request' });
  });

  test('is rejected if the environment disables it during the sign-in', async () => {
    const person = browser();
    let { url } = await person.request(await authorizeUrl());
    for (let hop = 0; hop < 3; hop += 1)
      url = new URL((await person.request(url)).headers.get('location') ?? '', url).href;
    expect(new URL(url).pathname).toContain('/x/social/callback/');
    await settings({ methods: { social: false } });
    const parameters = new URL((await person.open(url)).url).searchParams;
    expect(parameters.get('error')).toBe('authentication_method_not_allowed');
    expect(await usersWith('ada@example.com')).toEqual([]);
  });

  test('goes to the provider that the application demanded, whatever the browser names', async () => {
    await configure(provider.url, 'SlackOAuth');
    const start = await browser().request(
      await authorizeUrl({ provider_scopes: 'calendar', 'provider_query_params[access_type]': 'offline' }),
    );
    const own = new URL(start.headers.get('location') ?? '', start.url);
    own.searchParams.set('provider', 'SlackOAuth');
    await browser().open(own.href);
    expect(provider.asked).toEqual([expect.objectContaining({ access_type: 'offline' })]);
  });

  test('returns the provider’s error to the application', async () => {
    expect((await signIn({ provider: 'MicrosoftOAuth' })).result).toMatchObject({ error: 'invalid_request' });
    await provider.close();
    await configure(provider.url, 'GitLabOAuth');
    expect((await signIn({ provider: 'GitLabOAuth' })).result).toMatchObject({ error: 'temporarily_unavailable' });
  });
});

test('works with an independent OpenID provider implementation', async () => {
  const party = await openIdProvider();
  const { clientId, url } = await service();
  party.open([`${url}/x/social/callback/SlackOAuth/${clientId}`]);
  await configure(party.url, 'SlackOAuth', {
    client_id: 'gatehouse',
    client_secret: 'a-secret-of-thirty-two-characters',
  });
  const person = browser();
  const login = await person.open(await authorizeUrl({ provider: 'SlackOAuth' }));
  const end = await agree(person, login, 'grace');
  expect(end.url).toContain(REDIRECT_URI);
  const { body } = await redeem(new URL(end.url).searchParams.get('code') ?? '');
  expect(body).toMatchObject({
    authentication_method: 'SlackOAuth',
    user: { email: 'grace@example.com', email_verified: true, first_name: 'Grace' },
  });
});

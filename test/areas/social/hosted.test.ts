import { beforeEach, describe, expect, test } from '@jest/globals';

import { browser, type Page } from '../../support/browser.ts';
import { addFault, advance, call, messages, now, reset, service } from '../../support/service.ts';
import { type ForgingProvider, forgingProvider } from './forging-provider.ts';
import {
  authorizeUrl,
  configure,
  identities,
  makeUser,
  redeem,
  REDIRECT_URI,
  registerApplication,
  usersWith,
} from './sign-in.ts';

let provider: ForgingProvider;

beforeEach(async () => {
  await reset();
  provider = await forgingProvider();
  await Promise.all([registerApplication(), configure(provider.url)]);
});

const settings = (members: Record<string, unknown>) => call('PUT', '/x/authentication/settings', members);

/** The address of a page's button for a provider. */
function findButton({ text, url }: Page, name: string): string {
  const links = [...text.matchAll(/<a[^>]*href="([^"]*)"[^>]*>([\s\S]*?)<\/a\s*>/g)];
  const [, address = ''] = links.find(([, , content = '']) => content.includes(name)) ?? [];
  expect(address).not.toBe('');
  return new URL(address.replaceAll('&amp;', '&'), url).href;
}

const codeIn = async (email: string): Promise<string> =>
  /\b\d{6}\b/.exec((await messages(email)).map(({ text }) => text).join(' '))?.[0] ?? '';

const redirectParameters = ({ url }: Page) => {
  expect(url.startsWith(REDIRECT_URI)).toBe(true);
  return Object.fromEntries(new URL(url).searchParams);
};

describe('on the hosted pages', () => {
  test('a button redirects to the provider and back to the application', async () => {
    const person = browser();
    const first = await person.open(await authorizeUrl({ provider: 'hosted' }));
    const { code } = redirectParameters(await person.open(findButton(first, 'Google')));
    const { status, body } = await redeem(code);
    expect([status, body]).toMatchObject([
      200,
      { authentication_method: 'GoogleOAuth', user: { email: 'ada@example.com', email_verified: true } },
    ]);
    expect(await identities(body.user.id)).toHaveLength(1);
  });

  test('a button works if the first write of the sign-in failed with a conflict and was repeated', async () => {
    const person = browser();
    const first = await person.open(await authorizeUrl({ provider: 'hosted' }));
    await addFault({ target: 'table', kind: 'conflict', operations: ['TransactWriteItems', 'PutItem'], count: 2 });
    const { url } = await person.open(findButton(first, 'Google'));
    expect(url.startsWith(REDIRECT_URI)).toBe(true);
  });

  test('the provider’s tokens are returned with the code, also after an additional step', async () => {
    await configure(provider.url, 'GoogleOAuth', { return_oauth_tokens: true });
    provider.account = { ...provider.account, email_verified: false };
    const person = browser();
    const first = await person.open(await authorizeUrl({ provider: 'hosted' }));
    const step = await person.open(findButton(first, 'Google'));
    expect(new URL(step.url).pathname).toBe('/hosted/verify-email');
    const { code } = redirectParameters(await person.submit(step, { code: await codeIn('ada@example.com') }));
    const { body } = await redeem(code);
    expect(body).toMatchObject({ user: { email_verified: true }, oauth_tokens: { provider: 'GoogleOAuth' } });
    expect(await identities(body.user.id)).toHaveLength(1);
  });

  test('no button is shown if the environment disables this sign-in method', async () => {
    await settings({ methods: { social: false } });
    expect((await browser().open(await authorizeUrl({ provider: 'hosted' }))).text).not.toContain('Google');
  });

  test('no button is shown for a disabled provider', async () => {
    await configure(provider.url, 'SlackOAuth');
    await configure(provider.url, 'GoogleOAuth', { enabled: false });
    const { text } = await browser().open(await authorizeUrl({ provider: 'hosted' }));
    expect([text.includes('Slack'), text.includes('Google')]).toEqual([true, false]);
  });

  test('a user who may not sign up gets an error, and no account is created', async () => {
    await settings({ sign_up: false });
    const person = browser();
    const first = await person.open(await authorizeUrl({ provider: 'hosted' }));
    const end = await person.open(findButton(first, 'Google'));
    expect([end.status, new URL(end.url).pathname]).toEqual([422, '/hosted/sign-in/social']);
    expect(await usersWith('ada@example.com')).toEqual([]);
  });

  test('a sign-in that a provider has confirmed can be used only in the browser that got it, and once', async () => {
    const person = browser();
    const first = await person.open(await authorizeUrl({ provider: 'hosted' }));
    const toProvider = (await person.request(findButton(first, 'Google'))).headers.get('location') ?? '';
    const callback = (await person.request(toProvider)).headers.get('location') ?? '';
    const back = (await person.request(callback)).headers.get('location') ?? '';
    expect(new URL(back).pathname).toBe('/hosted/sign-in/social');
    const stranger = await browser().open(back);
    expect(stranger.url.startsWith(REDIRECT_URI)).toBe(false);
    const { code } = redirectParameters(await person.open(back));
    expect((await redeem(code)).status).toBe(200);
    expect((await browser().open(back)).url.startsWith(REDIRECT_URI)).toBe(false);
  });
});

test('a sign-in that a provider has confirmed expires after five minutes', async () => {
  const person = browser();
  const first = await person.open(await authorizeUrl({ provider: 'hosted' }));
  let url = findButton(first, 'Google');
  for (let hop = 0; hop < 3; hop += 1)
    url = new URL((await person.request(url)).headers.get('location') ?? '', url).href;
  expect(new URL(url).pathname).toBe('/hosted/sign-in/social');
  await advance(301);
  expect(new URL((await person.open(url)).url).pathname).toBe('/hosted/sign-in');
  expect(await usersWith('ada@example.com')).toEqual([]);
});

describe('a sign-in that an application sends directly to a provider', () => {
  test('continues at the pages with a code if the provider has not verified the email', async () => {
    const id = await makeUser('ada@example.com', { email_verified: true });
    provider.account = { ...provider.account, email_verified: false };
    const person = browser();
    const step = await person.open(await authorizeUrl());
    expect(new URL(step.url).pathname).toBe('/hosted/verify-email');
    const { code, state } = redirectParameters(await person.submit(step, { code: await codeIn('ada@example.com') }));
    expect(state).toBe('of the application');
    expect((await redeem(code)).body.user.id).toBe(id);
    expect(await identities(id)).toMatchObject([{ idp_id: '1234' }]);
    expect(redirectParameters(await browser().open(await authorizeUrl())).code).toBeDefined();
  });

  test('requires the user’s second factor before the account is linked', async () => {
    const id = await makeUser('ada@example.com', { email_verified: true });
    const { url } = await service();
    const enrolled = await call<{ authentication_factor: { id: string } }>(
      'POST',
      `/user_management/users/${id}/auth_factors`,
      { type: 'totp', totp_issuer: 'Acme', totp_user: 'ada' },
    );
    expect(enrolled.status).toBe(201);
    await settings({ mfa: 'required' });
    const step = await browser().open(await authorizeUrl());
    expect(step.url.startsWith(`${url}/hosted/mfa`)).toBe(true);
    expect(await identities(id)).toEqual([]);
  });
});

describe('a provider without an email', () => {
  /** Takes a user to the page that asks for the address. */
  async function asked(person = browser(), address?: string): Promise<Page> {
    provider.account = { sub: '1234', given_name: 'Ada' };
    const first = await person.open(address ?? (await authorizeUrl({ provider: 'hosted' })));
    const page = await person.open(findButton(first, 'Google'));
    expect([page.status, new URL(page.url).pathname]).toEqual([200, '/hosted/sign-in/email']);
    return page;
  }

  test('leads to a page that asks for one, which a mailed code verifies before the account is linked', async () => {
    const id = await makeUser('ada@example.com', { email_verified: true });
    await configure(provider.url, 'GoogleOAuth', { return_oauth_tokens: true });
    const person = browser();
    const page = await asked(person);
    expect((await person.submit(page, { email: 'nonsense' })).status).toBe(422);
    const step = await person.submit(page, { email: 'Ada@example.com' });
    expect(new URL(step.url).pathname).toBe('/hosted/sign-in/code');
    expect(await identities(id)).toEqual([]);
    const { code } = redirectParameters(await person.submit(step, { code: await codeIn('ada@example.com') }));
    const { body } = await redeem(code);
    expect(body).toMatchObject({
      user: { id },
      authentication_method: 'GoogleOAuth',
      oauth_tokens: { provider: 'GoogleOAuth' },
    });
    expect(await identities(id)).toMatchObject([{ idp_id: '1234' }]);
    expect(redirectParameters(await person.open(await authorizeUrl({ prompt: 'login' }))).code).toBeDefined();
  });

  test('creates a new user only after the address is verified', async () => {
    const person = browser();
    const step = await person.submit(await asked(person), { email: 'new@example.com' });
    expect(await usersWith('new@example.com')).toEqual([]);
    const { code } = redirectParameters(await person.submit(step, { code: await codeIn('new@example.com') }));
    expect((await redeem(code)).body.user).toMatchObject({ email_verified: true, first_name: 'Ada' });
  });

  test('does not reveal whether there is an account, even if sign-up is disabled', async () => {
    await makeUser('ada@example.com', { email_verified: true });
    await settings({ sign_up: false });
    const [known, unknown] = [browser(), browser()];
    const one = await known.submit(await asked(known), { email: 'ada@example.com' });
    const other = await unknown.submit(await asked(unknown), { email: 'eve@example.com' });
    const alertText = ({ text }: Page) =>
      /<main[\s\S]*<\/main>/.exec(text)?.[0].replace(/(ada|eve)@|value="[^"]*"|flow=[^"]*/g, '');
    expect(alertText(other)).toBe(alertText(one));
    expect(await messages('eve@example.com')).toEqual([]);
    const wrong = await unknown.submit(other, { code: '000000' });
    expect([wrong.status, await usersWith('eve@example.com')]).toEqual([422, []]);
  });

  test('links no account if the user goes back and signs in with a code', async () => {
    const id = await makeUser('ada@example.com', { email_verified: true });
    const person = browser();
    const page = await asked(person);
    const first = await person.open(page.url.replace('/sign-in/email', '/sign-in'));
    const step = await person.submit(first, { email: 'ada@example.com', do: 'code' });
    expect(redirectParameters(await person.submit(step, { code: await codeIn('ada@example.com') })).code).toBeDefined();
    expect(await identities(id)).toEqual([]);
  });

  test('can approve a device', async () => {
    const id = await makeUser('ada@example.com', { email_verified: true });
    const { clientId } = await service();
    const asking = { client_id: clientId };
    const path = '/user_management/authorize/device';
    const { body: device } = await call<Record<string, string>>('POST', path, asking, { apiKey: null });
    const person = browser();
    const typed = await person.open(device.verification_uri_complete ?? '');
    const signIn = await person.submit(typed);
    const step = await person.submit(await asked(person, signIn.url), { email: 'ada@example.com' });
    const approval = await person.submit(step, { code: await codeIn('ada@example.com') });
    expect(new URL(approval.url).pathname).toBe('/hosted/device');
    await person.submit(approval, { do: 'approve' });
    const grant_type = 'urn:ietf:params:oauth:grant-type:device_code';
    const poll = { ...asking, grant_type, device_code: device.device_code };
    const { body } = await call('POST', '/user_management/authenticate', poll, { apiKey: null });
    expect(body).toMatchObject({ user: { id }, authentication_method: 'GoogleOAuth' });
  });
});

describe('a sign-in that requires a new authentication, through a provider’s button', () => {
  const seconds = async (ago: number): Promise<number> => Math.floor((await now()) / 1_000) - ago;
  const press = async (more: Record<string, string>, name = 'Google'): Promise<Page> => {
    const person = browser();
    return person.open(findButton(await person.open(await authorizeUrl({ provider: 'hosted', ...more })), name));
  };
  const readAuthTime = (token: string): number =>
    (JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { auth_time: number }).auth_time;

  test.each([
    [{ prompt: 'login' }, { prompt: 'login' }],
    [{ max_age: '300' }, { max_age: '300' }],
    [
      { prompt: 'login', max_age: '0' },
      { prompt: 'login', max_age: '0' },
    ],
  ])('requests it from the provider: %j', async (more, asked) => {
    provider.account = { ...provider.account, auth_time: await seconds(0) };
    expect(redirectParameters(await press(more)).code).toBeDefined();
    expect(provider.asked.at(-1)).toMatchObject(asked);
  });

  test.each([
    [{ prompt: 'login' }, 600],
    [{ max_age: '0' }, 600],
    [{ max_age: '300' }, 600],
  ])('is rejected when the provider’s own sign-in is too old: %j, %i s', async (more, ago) => {
    provider.account = { ...provider.account, auth_time: await seconds(ago) };
    expect(redirectParameters(await press(more))).toMatchObject({ error: 'login_required' });
  });

  test('uses the provider’s authentication time', async () => {
    const authTime = await seconds(240);
    provider.account = { ...provider.account, auth_time: authTime };
    for (const more of [{}, { max_age: '300' }] as Record<string, string>[]) {
      const { body } = await redeem(redirectParameters(await press(more)).code);
      expect(readAuthTime(body.access_token)).toBe(authTime);
    }
  });

  test('offers no provider that cannot report the time of an authentication', async () => {
    await configure(provider.url, 'GitHubOAuth');
    const person = browser();
    const usual = await person.open(await authorizeUrl({ provider: 'hosted' }));
    const reauthenticated = await person.open(await authorizeUrl({ provider: 'hosted', prompt: 'login' }));
    expect([usual.text.includes('GitHub'), reauthenticated.text.includes('GitHub')]).toEqual([true, false]);
    expect(reauthenticated.text).toContain('Google');
    const flow = new URL(reauthenticated.url).searchParams.get('flow') ?? '';
    const direct = new URL(findButton(usual, 'GitHub'));
    direct.searchParams.set('flow', flow);
    expect(redirectParameters(await person.open(direct.href))).toMatchObject({ error: 'login_required' });
  });
});

import { beforeEach, describe, expect, test } from '@jest/globals';

import { browser, type Page } from '../../support/browser.ts';
import { call, messages, reset, service } from '../../support/service.ts';
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
function buttonOf({ text, url }: Page, name: string): string {
  const links = [...text.matchAll(/<a[^>]*href="([^"]*)"[^>]*>([\s\S]*?)<\/a\s*>/g)];
  const [, address = ''] = links.find(([, , content = '']) => content.includes(name)) ?? [];
  expect(address).not.toBe('');
  return new URL(address.replaceAll('&amp;', '&'), url).href;
}

const codeIn = async (email: string): Promise<string> =>
  /\b\d{6}\b/.exec((await messages(email)).map((message) => JSON.stringify(message)).join(' '))?.[0] ?? '';

const told = ({ url }: Page) => {
  expect(url.startsWith(REDIRECT_URI)).toBe(true);
  return Object.fromEntries(new URL(url).searchParams);
};

describe('on the hosted pages', () => {
  test('a button leads to the provider and back to the application', async () => {
    const person = browser();
    const first = await person.open(await authorizeUrl({ provider: 'hosted' }));
    const { code } = told(await person.open(buttonOf(first, 'Google')));
    const { status, body } = await redeem(code);
    expect([status, body]).toMatchObject([
      200,
      { authentication_method: 'GoogleOAuth', user: { email: 'ada@example.com', email_verified: true } },
    ]);
    expect(await identities(body.user.id)).toHaveLength(1);
  });

  test('the provider’s tokens come with the code, also after a step in between', async () => {
    await configure(provider.url, 'GoogleOAuth', { return_oauth_tokens: true });
    provider.account = { ...provider.account, email_verified: false };
    const person = browser();
    const first = await person.open(await authorizeUrl({ provider: 'hosted' }));
    const step = await person.open(buttonOf(first, 'Google'));
    expect(new URL(step.url).pathname).toBe('/hosted/verify-email');
    const { code } = told(await person.submit(step, { code: await codeIn('ada@example.com') }));
    const { body } = await redeem(code);
    expect(body).toMatchObject({ user: { email_verified: true }, oauth_tokens: { provider: 'GoogleOAuth' } });
    expect(await identities(body.user.id)).toHaveLength(1);
  });

  test('no button is shown where the environment closes this way', async () => {
    await settings({ methods: { social: false } });
    expect((await browser().open(await authorizeUrl({ provider: 'hosted' }))).text).not.toContain('Google');
  });

  test('somebody who may not sign up is told so, and gets no account', async () => {
    await settings({ sign_up: false });
    const person = browser();
    const first = await person.open(await authorizeUrl({ provider: 'hosted' }));
    const end = await person.open(buttonOf(first, 'Google'));
    expect([end.status, new URL(end.url).pathname]).toEqual([422, '/hosted/sign-in/social']);
    expect(await usersWith('ada@example.com')).toEqual([]);
  });

  test('what a provider has proved is of use in the browser that was there alone, and once', async () => {
    const person = browser();
    const first = await person.open(await authorizeUrl({ provider: 'hosted' }));
    const toProvider = (await person.request(buttonOf(first, 'Google'))).headers.get('location') ?? '';
    const callback = (await person.request(toProvider)).headers.get('location') ?? '';
    const back = (await person.request(callback)).headers.get('location') ?? '';
    expect(new URL(back).pathname).toBe('/hosted/sign-in/social');
    const stranger = await browser().open(back);
    expect(stranger.url.startsWith(REDIRECT_URI)).toBe(false);
    const { code } = told(await person.open(back));
    expect((await redeem(code)).status).toBe(200);
    expect((await browser().open(back)).url.startsWith(REDIRECT_URI)).toBe(false);
  });
});

describe('an application’s own way to a provider', () => {
  test('goes on at the pages for a code, where the provider has not proved the email', async () => {
    const id = await makeUser('ada@example.com', { email_verified: true });
    provider.account = { ...provider.account, email_verified: false };
    const person = browser();
    const step = await person.open(await authorizeUrl());
    expect(new URL(step.url).pathname).toBe('/hosted/verify-email');
    const { code, state } = told(await person.submit(step, { code: await codeIn('ada@example.com') }));
    expect(state).toBe('of the application');
    expect((await redeem(code)).body.user.id).toBe(id);
    expect(await identities(id)).toMatchObject([{ idp_id: '1234' }]);
    expect(told(await browser().open(await authorizeUrl())).code).toBeDefined();
  });

  test('asks for the second factor that a user has, and links nothing before it', async () => {
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

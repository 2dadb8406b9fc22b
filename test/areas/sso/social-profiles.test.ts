import { beforeEach, expect, test } from '@jest/globals';

import { type Browser, browser } from '../../support/browser.ts';
import { call, idle, reset } from '../../support/service.ts';
import { type ForgingProvider, forgingProvider } from '../social/forging-provider.ts';
import { configure } from '../social/sign-in.ts';
import { exchange, readReturn, redeem, registerApplication, startUrl } from './identity-provider.ts';
import { eventsNamed } from './support.ts';

let provider: ForgingProvider;
let person: Browser;

beforeEach(async () => {
  await reset({ calm: true });
  provider = await forgingProvider();
  provider.account = { sub: 'ada-at-google', email: 'ada@example.com', email_verified: true, given_name: 'Ada' };
  await Promise.all([registerApplication(), configure(provider.url)]);
  person = browser();
});

interface Granted {
  access_token: string;
  profile: { id: string; connection_id: string; email: string };
}

const signIn = async (by = person): Promise<Record<string, string>> =>
  readReturn(await by.open(await startUrl('/sso/authorize', { provider: 'GoogleOAuth' })));

test("provider= results in a profile of the provider's connection, and creates no user, session or user code", async () => {
  const { code = '', state } = await signIn();
  expect([state, (await redeem(code)).status]).toEqual(['the-state', 400]);
  const granted = await exchange<Granted>(code);
  expect([granted.status, granted.body.profile]).toMatchObject([
    200,
    {
      organization_id: null,
      connection_type: 'GoogleOAuth',
      idp_id: 'ada-at-google',
      email: 'ada@example.com',
      first_name: 'Ada',
      role: null,
    },
  ]);
  const read = await call('GET', '/sso/profile', undefined, { apiKey: granted.body.access_token });
  expect([read.status, read.body]).toEqual([200, granted.body.profile]);
  const again = await exchange<Granted>((await signIn(browser())).code);
  expect(again.body.profile.id).toBe(granted.body.profile.id);
  await idle();
  expect((await call<{ data: unknown[] }>('GET', '/user_management/users')).body.data).toEqual([]);
  expect(await eventsNamed('user.created', 'session.created')).toEqual([]);
});

test('connection= with the id of that connection results in the same profile', async () => {
  const { code } = await signIn();
  const { connection_id: connection } = (await exchange<Granted>(code)).body.profile;
  const page = await person.open(await startUrl('/sso/authorize', { connection }));
  expect((await exchange<Granted>(readReturn(page).code)).body.profile.connection_id).toBe(connection);
});

test('an unverified email at the provider results in no profile, unless the environment allows any address', async () => {
  provider.account = { ...provider.account, email: 'victim@example.com', email_verified: false };
  expect(await signIn()).toMatchObject({ error: 'access_denied', state: 'the-state' });
  await call('PUT', '/x/sso/settings', { email_domains: 'any' });
  const { code } = await signIn(browser());
  expect((await exchange<Granted>(code)).body.profile.email).toBe('victim@example.com');
});

test('an account without an email results in an error', async () => {
  const { email: _email, ...nameless } = provider.account;
  provider.account = nameless;
  expect(await signIn()).toMatchObject({ error: 'server_error' });
});

test('the response of the provider is accepted only in the browser that began the sign-in, and once', async () => {
  const { url } = await person.open(await startUrl('/sso/authorize', { provider: 'GoogleOAuth' }));
  expect(url).toContain('code=');
  const start = await startUrl('/sso/authorize', { provider: 'GoogleOAuth' });
  const response = await person.request(start);
  const flow = new URL(response.headers.get('location') ?? '').searchParams.get('flow') ?? '';
  const address = new URL(`/x/sso/social?flow=${flow}`, start).href;
  expect((await person.open(address)).status).toBe(400);
  expect((await person.open(new URL('/x/sso/social?flow=login_flow_unknown', start).href)).status).toBe(400);
});

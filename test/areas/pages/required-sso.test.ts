import { beforeEach, describe, expect, test } from '@jest/globals';

import { authenticator, type CeremonyOptions } from '../../support/authenticator.ts';
import { type Browser, browser, type Page } from '../../support/browser.ts';
import { testPair } from '../../support/certificates.ts';
import { advance, call, idle, messages, reset, service } from '../../support/service.ts';
import * as connect from '../connect/person.ts';
import { forgingProvider } from '../social/forging-provider.ts';
import { configure } from '../social/sign-in.ts';
import { post, requestIn, respondTo } from '../sso/identity-provider.ts';
import { organization, samlConnection, samlOptions } from '../sso/support.ts';
import { authorizeUrl, exchange, isAtApplication, makeUser, PASSWORD, register } from './application.ts';

const EMAIL = 'ada@acme.example';

let person: Browser;

beforeEach(async () => {
  await reset({ calm: true });
  await register();
  person = browser();
});

/** The links to connections on a page. */
const links = ({ text, url }: Page): string[] =>
  [...text.matchAll(/href="(\/x\/sso\/start[^"]+)"/g)].map(([, path = '']) =>
    new URL(path.replaceAll('&amp;', '&'), url).toString(),
  );

const enterEmail = async (email: string, more: Record<string, string> = {}): Promise<Page> =>
  person.submit(await person.open(await authorizeUrl(more)), { email });

/** Goes from a page to the identity provider, and returns after signing in. */
async function continueAt(page: Page, email = EMAIL): Promise<Page> {
  const request = requestIn((await person.open(links(page)[0] ?? '')).url);
  const response = await post(request.acsUrl, await respondTo(request, email), request.relayState);
  return person.open(response.headers.get('location') ?? '');
}

describe('the page after the email, if the domain requires single sign-on,', () => {
  test('redirects to the identity provider of the domain, whether or not the address has an account', async () => {
    const organizationId = await organization();
    await samlConnection(organizationId);
    await makeUser(EMAIL);
    const pages = [await enterEmail(EMAIL), await enterEmail('nobody@acme.example')];
    for (const page of pages) {
      expect([page.status, new URL(page.url).pathname]).toEqual([200, '/hosted/sign-in/sso']);
      expect(links(page)).toHaveLength(1);
      expect(page.headers.get('refresh')).toMatch(/^0;url=\/x\/sso\/start\?/);
    }
    const [known = '', unknown = ''] = pages.map(({ text }) => text.replaceAll(/flow=[\w]+|proof" value="[^"]+/g, ''));
    expect(unknown.replaceAll('nobody', 'ada')).toBe(known);
    const done = await continueAt(pages[0] as Page);
    expect(isAtApplication(done)).toBe(true);
    expect(await exchange(done.url)).toMatchObject({ organization_id: organizationId, authentication_method: 'SSO' });
  });

  test('lists the connections of an organization that has several, by their names', async () => {
    const organizationId = await organization();
    const names = ['Head office', 'Branch <b>office</b>'];
    for (const name of names) await samlConnection(organizationId, { name });
    const page = await enterEmail(EMAIL);
    expect(links(page)).toHaveLength(2);
    expect(page.headers.get('refresh')).toBeNull();
    expect(page.text).toContain('Branch &lt;b&gt;office&lt;/b&gt;');
  });

  test('explains that the certificates have expired, and names the contact', async () => {
    const saml_options = samlOptions({ idp_signing_certs: [testPair('old', -1).cert] });
    await samlConnection(await organization(), { saml_options });
    const page = await enterEmail(EMAIL);
    expect(links(page)).toEqual([]);
    expect(page.text).toContain('has expired');
    expect(page.text).toContain('Ask your organization’s administrator');
  });

  test('sends no code and creates no account for such an address, at sign-in or sign-up', async () => {
    await samlConnection(await organization());
    const code = await person.submit(await person.open(await authorizeUrl()), { email: EMAIL, do: 'code' });
    expect(new URL(code.url).pathname).toBe('/hosted/sign-in/sso');
    const signUp = await person.open(await authorizeUrl({ screen_hint: 'sign-up' }));
    const response = await person.submit(signUp, { email: 'new@acme.example', password: PASSWORD });
    expect(new URL(response.url).pathname).toBe('/hosted/sign-in/sso');
    await idle();
    expect([...(await messages(EMAIL)), ...(await messages('new@acme.example'))]).toEqual([]);
    expect((await call<{ data: unknown[] }>('GET', '/user_management/users')).body.data).toEqual([]);
  });
});

describe('a proof by another sign-in method', () => {
  test('that began before the policy was set redirects to the connection, and opens no session', async () => {
    await makeUser(EMAIL);
    const password = await enterEmail(EMAIL);
    await samlConnection(await organization());
    const page = await person.submit(password, { password: PASSWORD });
    expect([page.status, links(page).length]).toEqual([200, 1]);
    const again = await person.open(await authorizeUrl());
    expect(new URL(again.url).pathname).toBe('/hosted/sign-in');
  });

  test('at a social provider does not replace single sign-on', async () => {
    const provider = await forgingProvider();
    provider.account = { sub: 'ada-at-google', email: EMAIL, email_verified: true };
    await configure(provider.url);
    await samlConnection(await organization());
    const first = await person.open(await authorizeUrl());
    const address = /<a class="button quiet" href="([^"]+)"/.exec(first.text)?.[1] ?? '';
    const page = await person.open(new URL(address.replaceAll('&amp;', '&'), first.url).href);
    expect([page.status, links(page).length]).toEqual([422, 1]);
    const direct = await person.open(await authorizeUrl({ provider: 'GoogleOAuth' }));
    expect(new URL(direct.url).searchParams.get('error')).toBe('sso_required');
    expect((await call<{ data: unknown[] }>('GET', '/user_management/users')).body.data).toEqual([]);
  });

  test('in a browser that is signed in already is not sufficient once the domain requires single sign-on, nor with prompt=none', async () => {
    await makeUser(EMAIL);
    const done = await person.submit(await enterEmail(EMAIL), { password: PASSWORD });
    expect(isAtApplication(done)).toBe(true);
    await samlConnection(await organization());
    const page = await person.open(await authorizeUrl());
    expect([page.status, links(page).length]).toEqual([200, 1]);
    const silent = await person.open(await authorizeUrl({ prompt: 'none' }));
    expect(new URL(silent.url).searchParams.get('error')).toBe('interaction_required');
  });
});

/** The options in a page's form for passkeys. */
function readOptions({ text }: Page): CeremonyOptions {
  const found = /data-options="([^"]+)"/.exec(text)?.[1] ?? '';
  return JSON.parse(found.replaceAll('&quot;', '"').replaceAll('&amp;', '&')) as CeremonyOptions;
}

describe('a passkey that was created before the policy was set', () => {
  const signIn = async (own: ReturnType<typeof authenticator>): Promise<Page> => {
    const first = await person.open(await authorizeUrl({ prompt: 'login' }));
    return person.submit(first, { credential: own.get(readOptions(first)) }, 'data-passkey');
  };

  async function enroll(email: string): Promise<{ own: ReturnType<typeof authenticator>; userId: string }> {
    await call('PUT', '/x/authentication/settings', { methods: { passkey: true } });
    const userId = await makeUser(email);
    const own = authenticator((await service()).url);
    const offer = await person.submit(await enterEmail(email), { password: PASSWORD });
    await person.submit(offer, { credential: own.create(readOptions(offer)) }, 'data-passkey');
    expect(isAtApplication(await signIn(own))).toBe(true);
    return { own, userId };
  }

  const succeeded = async (): Promise<number> => {
    await idle();
    const path = '/events?events=authentication.passkey_succeeded';
    return (await call<{ data: unknown[] }>('GET', path)).body.data.length;
  };

  test('does not sign in a user at such a domain until the policy is disabled', async () => {
    const { own, userId } = await enroll(EMAIL);
    const organizationId = await organization();
    await samlConnection(organizationId);
    const page = await signIn(own);
    expect([page.status, links(page).length, isAtApplication(page)]).toEqual([422, 1, false]);
    expect(await succeeded()).toBe(1);
    const done = await continueAt(page);
    expect(await exchange(done.url)).toMatchObject({ user: { id: userId }, authentication_method: 'SSO' });
    await call('PUT', `/x/organizations/${organizationId}/sso_policy`, { required: false });
    expect(isAtApplication(await signIn(own))).toBe(true);
  });

  test('does not sign in a member with an address at another domain to that organization', async () => {
    const { own, userId } = await enroll('guest@elsewhere.example');
    const organizationId = await organization();
    await samlConnection(organizationId);
    const membership = { user_id: userId, organization_id: organizationId };
    await call('POST', '/user_management/organization_memberships', membership);
    const page = await signIn(own);
    expect([page.status, links(page).length, isAtApplication(page)]).toEqual([422, 1, false]);
    expect(await succeeded()).toBe(1);
  });
});

test('a member with an address at another domain who chooses the organization is redirected to its connection', async () => {
  const acme = await organization();
  const other = await organization('other.example', 'Other');
  await samlConnection(acme);
  const user_id = await makeUser('guest@elsewhere.example');
  for (const organization_id of [acme, other]) {
    await call('POST', '/user_management/organization_memberships', { user_id, organization_id });
  }
  const choice = await person.submit(await enterEmail('guest@elsewhere.example'), { password: PASSWORD });
  expect(new URL(choice.url).pathname).toBe('/hosted/organization');
  const page = await person.submit(choice, { organization_id: acme });
  expect([page.status, links(page).length]).toEqual([422, 1]);
  const done = await continueAt(page, 'guest@elsewhere.example');
  // The provider's word is none for an account at another domain, which is signed in to once more before the two are linked.
  expect(new URL(done.url).pathname).toBe('/hosted/sign-in');
});

test('a device can be approved after a sign-in through the connection', async () => {
  await samlConnection(await organization());
  const client_id = new URL(await authorizeUrl()).searchParams.get('client_id') ?? '';
  const { body: device } = await call<{ device_code: string; user_code: string; verification_uri_complete: string }>(
    'POST',
    '/user_management/authorize/device',
    { client_id },
    { apiKey: null },
  );
  const first = await person.submit(await person.open(device.verification_uri_complete));
  const approval = await continueAt(await person.submit(first, { email: EMAIL }));
  expect(approval.text).toContain(device.user_code);
  await person.submit(approval, { do: 'approve' });
  await advance(5);
  const grant_type = 'urn:ietf:params:oauth:grant-type:device_code';
  const polled = await call<{ authentication_method: string }>(
    'POST',
    '/user_management/authenticate',
    { grant_type, device_code: device.device_code, client_id },
    { apiKey: null },
  );
  expect([polled.status, polled.body.authentication_method]).toEqual([200, 'SSO']);
});

test('an application gets tokens after a sign-in through the connection and the user’s consent', async () => {
  const organizationId = await organization();
  await samlConnection(organizationId);
  const [app, verifier] = [await connect.application(), connect.newVerifier()];
  const first = await person.open(await connect.authorizeUrl(app, verifier, { scope: 'openid email' }));
  const consent = await continueAt(await person.submit(first, { email: EMAIL }));
  expect([new URL(consent.url).pathname, connect.isConsent(consent)]).toEqual(['/hosted/consent', true]);
  for (const displayed of [EMAIL, 'Reports', 'Acme']) expect(consent.text).toContain(displayed);
  const { code } = connect.received(await connect.decide(person, consent, 'approve'));
  const { status, body } = await connect.exchange(app, code, verifier);
  const claims = connect.readClaims(body.id_token ?? '');
  expect([status, claims.email, claims.amr ?? 'none']).toEqual([200, EMAIL, expect.anything()]);
  const stranger = browser();
  const again = await stranger.open(consent.url);
  expect(connect.isConsent(again)).toBe(false);
});

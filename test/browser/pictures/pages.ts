import { accountAddress, openProven } from '../../support/account.ts';
import { authenticator, base64url } from '../../support/authenticator.ts';
import { browser, type Browser, type Page } from '../../support/browser.ts';
import { call, eventually, messages, now, reset, service } from '../../support/service.ts';
import {
  authorizeUrl,
  exchange,
  mailedCode,
  makeUser,
  PASSWORD,
  register,
  totp,
} from '../../areas/pages/application.ts';
import { forgingProvider } from '../../areas/social/forging-provider.ts';
import { configure } from '../../areas/social/sign-in.ts';

/** The logo of the brand in the pictures: an SVG that needs no network. */
const LOGO = (colour: string): string =>
  `data:image/svg+xml;base64,${Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="160" height="40"><rect width="40" height="40" rx="8" fill="${colour}"/><text x="50" y="28" font-family="sans-serif" font-size="24" fill="${colour}">Nimbus</text></svg>`,
  ).toString('base64')}`;

/** The settings of a brand that differs from the default wherever it can. */
export const BRAND = {
  brand_name: 'Nimbus',
  light: { accent: '#7a1fa2', background: '#fbf7ff', surface: '#ffffff', text: '#1d1228', logo_url: LOGO('#7a1fa2') },
  dark: { accent: '#d9a7ff', background: '#150d1c', surface: '#21152b', text: '#f6effc', logo_url: LOGO('#d9a7ff') },
  font: 'serif',
  radius: 2,
  terms_url: 'https://nimbus.example/terms',
  privacy_url: 'https://nimbus.example/privacy',
  home_url: 'https://nimbus.example/',
  language_menu: true,
  provider_position: 'above',
  provider_order: ['MicrosoftOAuth'],
  stay_signed_in: 'ask',
};

const EMAIL = 'ada.lovelace@analytical-engines.example';

const makeOrganization = async (name: string): Promise<string> =>
  (await call<{ id: string }>('POST', '/organizations', { name })).body.id;

interface Enrolled {
  authentication_factor: { totp: { secret: string } };
  authentication_challenge: { id: string };
}

/** Adds a proven authenticator app to a user. @returns its key */
async function addApp(userId: string): Promise<string> {
  const { body } = await call<Enrolled>('POST', `/user_management/users/${userId}/auth_factors`, { type: 'totp' });
  const { secret } = body.authentication_factor.totp;
  const code = await totp(secret, await now());
  await call('POST', `/auth/challenges/${body.authentication_challenge.id}/verify`, { code });
  return secret;
}

/**
 * Collects the pages of the service in one language, as HTML by name.
 * @param settings the settings of the pages
 * @param css the own style rules of the pages
 */
export async function collectPages(language: string, settings: object, css = ''): Promise<Map<string, string>> {
  await reset({ calm: true });
  await register();
  await call('PUT', '/x/pages/settings', settings);
  await call('PUT', '/x/pages/style', { css });
  const found = new Map<string, string>();
  const { url, clientId } = await service();
  const headers = { 'accept-language': language };
  const options = async (own: object): Promise<unknown> => call('PUT', '/x/authentication/settings', own);
  const keep = (name: string, page: Page): Page => {
    if (!page.text.startsWith('<!doctype html>')) throw new Error(`${name} is no page: ${page.url} ${page.status}`);
    found.set(name, page.text);
    return page;
  };
  const begin = async (by: Browser, more: Record<string, string> = {}): Promise<Page> =>
    by.open(await authorizeUrl({ prompt: 'login', ...more }));
  const enter = async (by: Browser, email = EMAIL, more: Record<string, string> = {}): Promise<Page> =>
    by.submit(await by.submit(await begin(by, more), { email }), { password: PASSWORD });

  const userId = await makeUser(EMAIL, { first_name: 'Ada', last_name: 'Lovelace' });
  const provider = await forgingProvider();
  await configure(provider.url);
  await configure(provider.url, 'MicrosoftOAuth');
  await configure(provider.url, 'GitHubOAuth');
  await configure(provider.url, 'SlackOAuth');
  await options({ methods: { passkey: true }, passkey_enrollment: false });
  const person = browser(headers);
  const first = keep('sign-in', await begin(person));
  const at = (path: string): Promise<Page> => person.open(first.url.replace('/hosted/sign-in', path));
  keep('sign-in-invalid', await person.submit(first, { email: 'ada' }));
  const password = keep('password', await person.submit(first, { email: EMAIL }));
  keep('password-wrong', await person.submit(password, { password: 'wrong' }));
  const code = keep('code', await person.submit(password, { do: 'code' }));
  keep('code-wrong', await person.submit(code, { code: '000000' }));
  const signUp = keep('sign-up', await at('/hosted/sign-up'));
  keep('sign-up-wrong', await person.submit(signUp, { email: 'new@example.com', password: 'short' }));
  keep('sign-up-code', await person.submit(signUp, { email: 'new@example.com', password: PASSWORD }));
  const forgot = keep('forgot', await at('/hosted/forgot-password'));
  keep('forgot-sent', await person.submit(forgot, { email: EMAIL }));
  const [mail] = await eventually(
    async () => (await messages(EMAIL)).filter(({ links }) => links.some((link) => link.includes('reset'))),
    (sent) => sent.length > 0,
  );
  const link = mail?.links.find((one) => one.includes('reset')) ?? '';
  const reader = browser(headers);
  const resetPage = keep('reset', await reader.open(link));
  keep('reset-done', await reader.submit(resetPage, { password: PASSWORD }));
  keep('reset-ended', await reader.open(link));
  keep('signed-out', await person.open(`${url}/hosted/signed-out?client_id=${clientId}`));
  keep('expired', await person.open(`${url}/hosted/sign-in?flow=x`));
  keep('not-found', await person.open(`${url}/hosted/nothing`));

  const engines = await makeOrganization('Analytical Engines of London and Turin');
  for (const id of [engines, await makeOrganization('Looms')])
    await call('POST', '/user_management/organization_memberships', { user_id: userId, organization_id: id });
  keep('organization', await enter(browser(headers)));
  const inviter = await makeUser('grace@example.com', { first_name: 'Grace', last_name: 'Hopper' });
  const invited = { email: 'bob@example.com', organization_id: engines, inviter_user_id: inviter };
  const { body: invitation } = await call<{ token: string }>('POST', '/user_management/invitations', invited);
  keep('invitation', await person.open(`${url}/hosted/invitation?invitation_token=${invitation.token}`));
  keep('sign-up-invited', await begin(person, { invitation_token: invitation.token, screen_hint: 'sign-up' }));

  keep('device', await person.open(`${url}/device`));
  interface Device {
    verification_uri_complete: string;
  }
  const asked = await call<Device>(
    'POST',
    '/user_management/authorize/device',
    { client_id: clientId },
    { apiKey: null },
  );
  const holder = browser(headers);
  const typed = await holder.submit(await holder.open(asked.body.verification_uri_complete));
  await options({});
  const solo = await makeUser('solo@example.com');
  const approval = await holder.submit(await holder.submit(typed, { email: 'solo@example.com' }), {
    password: PASSWORD,
  });
  keep('device-approval', approval);
  keep('device-approved', await holder.submit(approval, { do: 'approve' }));

  await options({ methods: { passkey: true }, factor_enrollment: true });
  const offered = browser(headers);
  keep('passkey-offer', await enter(offered, 'solo@example.com'));
  await options({ factor_enrollment: true });
  keep('factor-offer', await enter(browser(headers), 'solo@example.com'));
  await options({ mfa: 'required', device_trust: { enabled: true } });
  keep('enrolment', await enter(browser(headers), 'solo@example.com'));
  const own = authenticator(url);
  await call('POST', '/x/passkeys', {
    user_id: solo,
    credential_id: own.credentialId,
    public_key: own.publicKey,
    user_handle: base64url('handle'),
    name: 'Laptop',
  });
  await addApp(solo);
  await options({ methods: { passkey: true }, mfa: 'required', device_trust: { enabled: true } });
  const challenged = browser(headers);
  const challenge = await challenged.submit(
    await challenged.submit(await challenged.open(await authorizeUrl()), { email: 'solo@example.com' }),
    { password: PASSWORD },
  );
  keep('challenge', challenge);
  keep('passkey-challenge', await challenged.open(challenge.url.replace('/hosted/mfa?', '/hosted/mfa/passkey?')));
  await options({ new_device: 'sms_challenge' });
  const newcomer = await makeUser('newcomer@example.com');
  const phones = browser(headers);
  const phone = keep('phone', await enter(phones, 'newcomer@example.com'));
  keep('phone-code', await phones.submit(phone, { phone_number: '+15005550006' }));
  await options({ new_device: 'email_challenge' });
  await makeUser('device@example.com');
  await exchange((await enter(browser(headers), 'device@example.com')).url);
  keep('new-device', await enter(browser(headers), 'device@example.com'));
  await options({});
  await makeUser('unverified@example.com', { email_verified: false });
  keep('verify-email', await enter(browser(headers), 'unverified@example.com'));

  await options({ methods: { passkey: true } });
  await call('PUT', '/x/account/settings', { sections: { deletion: true } });
  const account = await openProven(newcomer, PASSWORD, {}, headers);
  keep('account', await account.open());
  for (const name of ['name', 'email', 'password', 'passkeys', 'authenticator', 'recovery_codes', 'sessions']) {
    keep(`account-${name}`, await account.open(name));
  }
  for (const name of ['connected_accounts', 'organizations', 'data', 'deletion'])
    keep(`account-${name}`, await account.open(name));
  await addApp(newcomer);
  const codes = await account.open('recovery_codes');
  keep('account-recovery_codes-new', await account.person.submit(codes));
  const stranger = await openProven(solo, 'wrong', {}, headers);
  keep('account-confirm', await stranger.person.open(await accountAddress('name')));
  await mailedCode('new@example.com');
  return new Map([...found].map(([name, html]) => [name, settle(html)]));
}

/** Replaces what differs in every run: keys, codes, pictures of them, addresses with tokens. */
const settle = (html: string): string =>
  html
    .replace(
      /(<div class="qr"[^>]*>)[\s\S]*?<\/svg>/,
      '$1<svg viewBox="0 0 10 10"><path d="M0 0h5v5H0z" fill="#111"/></svg>',
    )
    .replace(/<code>[A-Z2-7 ]{20,}<\/code>/, '<code>ABCD EFGH IJKL MNOP QRST UVWX YZ23 4567</code>')
    .replace(/(<pre[^>]*>)[^<]+/, `$1${Array.from({ length: 10 }, (_, at) => `0000-1111-2222-333${at}`).join('\n')}`);

import { mailedCode, makeUser, PASSWORD, readSessionId, totp } from '../areas/pages/application.ts';
import {
  complete as completeClaim,
  configure as configureAgents,
  register as registerAgent,
} from '../areas/agents/registering.ts';
import { application as connectApplication, authorizeUrl, CALLBACK, newVerifier } from '../areas/connect/person.ts';
import { authorize, integrate } from '../areas/pipes/connection.ts';
import { thirdParty } from '../areas/pipes/third-party.ts';
import { forgingProvider } from '../areas/social/forging-provider.ts';
import { configure } from '../areas/social/sign-in.ts';
import { askAs, operatorGrant } from '../support/console.ts';
import { advance, call, idle, messages, now, service } from '../support/service.ts';
import { portalAddress } from '../support/portal.ts';
import { EMAIL, type Walk } from './walker.ts';
import { PORTAL_WALKS } from './walks-portal.ts';

const PHONE = '+15005550006';

async function makeOrganizations(): Promise<string[]> {
  const names = ['Engines', 'Looms'];
  const made = await Promise.all(names.map((name) => call<{ id: string }>('POST', '/organizations', { name })));
  return made.map(({ body }) => body.id);
}

const join = (userId: string, organizationId?: string) =>
  call('POST', '/user_management/organization_memberships', { user_id: userId, organization_id: organizationId });

/** Sequences of pages that together send every form of the service. */
export const WALKS: Readonly<Record<string, Walk>> = {
  ...PORTAL_WALKS,
  'a password': {
    forms: ['pages.take_sign_in', 'pages.take_password'],
    async walk({ arrive, begin, enter }) {
      await makeUser(EMAIL);
      await begin();
      await enter();
      await arrive();
    },
  },
  'a mailed code': {
    forms: ['pages.take_sign_in', 'pages.take_code'],
    async walk({ arrive, at, begin, send }) {
      await makeUser(EMAIL);
      await begin();
      await send({ email: EMAIL });
      await at('/hosted/sign-in/password');
      await send({}, 'code');
      await at('/hosted/sign-in/code');
      await send({ code: await mailedCode(EMAIL) });
      await arrive();
    },
  },
  'a sign-up, and signing out': {
    forms: ['pages.take_sign_up', 'pages.take_sign_up_code'],
    async walk({ arrive, at, begin, page, send }) {
      await begin({ screen_hint: 'sign-up' });
      await send({ email: EMAIL, password: PASSWORD });
      await at('/hosted/sign-up/code');
      await send({ code: await mailedCode(EMAIL) });
      const { url } = await service();
      await page().goto(`${url}/user_management/sessions/logout?session_id=${readSessionId(await arrive())}`);
      await begin();
      await at('/hosted/sign-in');
    },
  },
  'a forgotten password': {
    forms: ['pages.take_forgot_password', 'pages.take_reset'],
    async walk({ begin, page, send }) {
      await makeUser(EMAIL);
      await begin();
      const first = page().url();
      await page().goto(first.replace('/hosted/sign-in', '/hosted/forgot-password'));
      await send({ email: EMAIL });
      await page().goto((await messages(EMAIL))[0]?.links[0] ?? '');
      await send({ password: 'another set of tulips' });
      await page().locator('.sign').waitFor();
    },
  },
  'an address that is not proved': {
    forms: ['pages.take_verification'],
    async walk({ arrive, at, begin, enter, send }) {
      await makeUser(EMAIL, { email_verified: false });
      await begin();
      await enter();
      await at('/hosted/verify-email');
      await send({ code: await mailedCode(EMAIL) });
      await arrive();
    },
  },
  'a second factor': {
    forms: ['pages.take_enrolment', 'pages.take_challenge'],
    async walk({ arrive, at, begin, enter, page, send }) {
      await makeUser(EMAIL);
      await call('PUT', '/x/authentication/settings', { mfa: 'required' });
      await begin();
      await enter();
      await at('/hosted/mfa/enroll');
      const key = ((await page().locator('code').textContent()) ?? '').replaceAll(' ', '');
      await send({ code: await totp(key, await now()) });
      await arrive();
      await advance(60);
      await begin({ prompt: 'login' });
      await enter();
      await at('/hosted/mfa');
      await send({ code: await totp(key, await now()) });
      await arrive();
    },
  },
  'an offered authenticator app, then a recovery code in its place': {
    forms: ['pages.take_factor_offer', 'pages.take_recovery'],
    async walk({ arrive, at, begin, enter, page, send }) {
      await makeUser(EMAIL);
      await call('PUT', '/x/authentication/settings', { factor_enrollment: true });
      await begin();
      await enter();
      await at('/hosted/mfa/offer');
      const key = ((await page().locator('code').textContent()) ?? '').replaceAll(' ', '');
      const [recoveryCode = ''] = (await page().locator('pre').innerText()).trim().split('\n');
      await send({ code: await totp(key, await now()) });
      await arrive();
      await begin({ prompt: 'login' });
      await enter();
      await at('/hosted/mfa');
      await page().getByRole('link', { name: 'Use a recovery code' }).click();
      await at('/hosted/mfa/recovery');
      await send({ code: recoveryCode });
      await arrive();
    },
  },
  'an invitation, and the choice among organizations': {
    forms: ['pages.take_invitation', 'pages.take_organization'],
    async walk({ arrive, at, begin, enter, page, send }) {
      const [first, second] = await makeOrganizations();
      await join(await makeUser(EMAIL), first);
      const invitation = { email: EMAIL, organization_id: second };
      const { body } = await call<{ accept_invitation_url: string }>(
        'POST',
        '/user_management/invitations',
        invitation,
      );
      await page().goto(body.accept_invitation_url);
      await send({});
      await at('/hosted/sign-in');
      await enter();
      await arrive();
      await begin();
      await at('/hosted/organization');
      await page().locator('form button').first().click();
      await arrive();
    },
  },
  'a new device, by mail': {
    forms: ['pages.take_new_device'],
    async walk({ arrive, at, begin, enter, newBrowser, send }) {
      await call('PUT', '/x/authentication/settings', { new_device: 'email_challenge' });
      await makeUser(EMAIL);
      await begin();
      await enter();
      await arrive();
      await newBrowser('a browser that was not seen before');
      await begin();
      await enter();
      await at('/hosted/verify-device');
      await send({ code: await mailedCode(EMAIL) });
      await arrive();
    },
  },
  'the telephone of somebody new': {
    forms: ['pages.take_telephone', 'pages.take_telephone_code'],
    async walk({ arrive, at, begin, enter, send }) {
      await call('PUT', '/x/authentication/settings', { new_device: 'sms_challenge' });
      await makeUser(EMAIL);
      await begin();
      await enter();
      await at('/hosted/verify-phone');
      await send({ phone_number: PHONE });
      await at('/hosted/verify-phone/code');
      await send({ code: await mailedCode(PHONE) });
      await arrive();
    },
  },
  'the address that a provider did not tell': {
    forms: ['pages.take_email'],
    async walk({ arrive, at, begin, page, send }) {
      const provider = await forgingProvider();
      provider.account = { sub: 'ada-at-google' };
      await configure(provider.url);
      await begin();
      await page().locator('a.button[href*="/x/social/start"]').click();
      await at('/hosted/sign-in/email');
      await send({ email: EMAIL });
      await at('/hosted/sign-in/code');
      await send({ code: await mailedCode(EMAIL) });
      await arrive();
    },
  },
  'a device': {
    forms: ['pages.take_device', 'pages.take_approval'],
    async walk({ at, enter, page, send }) {
      await makeUser(EMAIL);
      const { clientId } = await service();
      const asked = { client_id: clientId };
      const { body } = await call<Record<'user_code' | 'verification_uri', string>>(
        'POST',
        '/user_management/authorize/device',
        asked,
        { apiKey: null },
      );
      await page().goto(body.verification_uri);
      await send({ user_code: body.user_code });
      await at('/hosted/sign-in');
      await enter();
      await at('/hosted/device');
      await send({}, 'approve');
      await page().locator('.sign').waitFor();
    },
  },
  'the claim of an agent': {
    forms: ['pages.take_agent_link', 'pages.take_agent'],
    async walk({ at, enter, page, send }) {
      await makeUser(EMAIL);
      await configureAgents({ claim_uri: 'hosted' });
      const { claim } = (await registerAgent({ type: 'service_auth', login_hint: EMAIL })).body;
      await page().goto(claim?.attempt?.verification_uri ?? '');
      await send({});
      await at('/hosted/sign-in');
      await enter();
      await at('/hosted/agent/confirm');
      await send({}, 'approve');
      const code = await page().locator('.big').textContent();
      if ((await completeClaim(claim?.token, code ?? '')).status !== 200) throw new Error('The code is not accepted');
    },
  },
  'the consent to an application': {
    forms: ['pages.take_consent'],
    async walk({ at, enter, page, send }) {
      await makeUser(EMAIL);
      const app = await connectApplication();
      await page().route(`${CALLBACK}**`, (route) => route.fulfill({ body: 'Reports' }));
      await page().goto(await authorizeUrl(app, newVerifier()));
      await at('/hosted/sign-in');
      await enter();
      await at('/hosted/consent');
      await send({}, 'approve');
      await page().waitForURL((url) => url.href.startsWith(CALLBACK) && url.searchParams.has('code'));
    },
  },
  'the stop of a reset of a factor': {
    forms: ['factor_resets.stop'],
    async walk({ page, send }) {
      const path = `/user_management/users/${await makeUser(EMAIL)}/auth_factors`;
      const { body } = await call<{ authentication_factor: { id: string } }>('POST', path, { type: 'totp' });
      await call('PUT', '/x/account/factor_resets/settings', { delay_hours: 24 });
      await advance(6);
      const grant = await operatorGrant(['people.support', 'people.change'], { id: 'user_operator' });
      await askAs(grant, 'DELETE', `/auth/factors/${body.authentication_factor.id}`);
      await idle();
      await page().goto((await messages(EMAIL))[0]?.links[0] ?? '');
      await send({});
      await page().getByRole('heading', { name: 'stopped' }).waitFor();
    },
  },
  'a connected account': {
    forms: ['pipes.confirm_authorization'],
    async walk({ page }) {
      const party = await thirdParty();
      party.open([await integrate(party)]);
      await call('PUT', '/x/pipes/settings', { authorization_start: 'confirm' });
      const start = await authorize(await makeUser(EMAIL));
      await page().goto(start);
      await page().locator('form button').first().click();
      await page().waitForURL((url) => url.origin === party.url);
      await page().locator('[name="login"]').fill('ada');
      await page().locator('[name="password"]').fill('x');
      await page().locator('button[type="submit"]').click();
      await page().locator('[name="prompt"][value="consent"]').waitFor({ state: 'attached' });
      await page().locator('button[type="submit"]').click();
      await page().getByRole('heading', { name: 'is connected' }).waitFor();
    },
  },
  'an invitation to set an organization up': {
    forms: [],
    async walk({ at, page, send }) {
      const [organization = ''] = await makeOrganizations();
      const contacts = `/organizations/${organization}/it_contacts`;
      const { body } = await call<{ id: string }>('POST', contacts, { email: EMAIL });
      await call('POST', `${contacts}/${body.id}/invite`, { intents: ['sso', 'directory_sync'] });
      await page().goto((await messages(EMAIL))[0]?.links[0] ?? '');
      await page().getByRole('heading', { name: 'Engines' }).waitFor();
      await send({});
      await at(new URL(await portalAddress('overview')).pathname);
    },
  },
};

import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { BrowserContext, Page } from 'playwright-core';

import { mailedCode, makeUser, PASSWORD, readSessionId, totp } from '../areas/pages/application.ts';
import { advance, call, eventually, messages, now, reset, service } from '../support/service.ts';
import { application, type Application } from './application.ts';
import { closeChromium, describeInChromium, person } from './chromium.ts';
import * as steps from './steps.ts';

const EMAIL = 'ada@example.com';
const SLOW = 300_000;

let app: Application;
let context: BrowserContext;
let page: Page;
/** Errors in the browser's console: resources blocked by a policy, failed scripts. */
let complaints: string[];

beforeEach(async () => {
  await reset({ calm: true });
  app = await application();
  complaints = [];
});

afterEach(async () => {
  await context?.close();
  await app.close();
  expect(complaints).toEqual([]);
}, SLOW);

afterAll(() => closeChromium());

async function begin(javaScriptEnabled: boolean, more: Record<string, string> = {}): Promise<void> {
  context = await person({ javaScriptEnabled, locale: 'en' });
  page = await context.newPage();
  page.setDefaultTimeout(60_000);
  page.on('console', (message) => {
    // Chromium reports a form's 422 as a failed resource; everything else is a fault of the page.
    if (message.type() === 'error' && !message.text().includes('422')) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  await again(more);
}

const again = (more: Record<string, string> = {}) => steps.begin(page, app, more);
const press = (name: string) => steps.press(page, name);
const enter = (email = EMAIL, password = PASSWORD) => steps.enter(page, email, password);
const enterCode = (code: string, button?: string) => steps.enterCode(page, code, button);
const arrive = () => steps.arrive(page, app);

describeInChromium('the hosted pages in a browser', () => {
  describe.each([
    ['with JavaScript', true],
    ['without JavaScript', false],
  ])('%s', (_title, script) => {
    test(
      'sign up, verify, sign out and sign in',
      async () => {
        await begin(script, { screen_hint: 'sign-up' });
        await page.getByLabel('Email address').fill(EMAIL);
        await page.getByLabel('First name (optional)').fill('Ada');
        await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
        // No button is offered that only works with a script.
        expect(await page.getByRole('button', { name: 'Show password' }).count()).toBe(script ? 1 : 0);
        await press('Create account');
        await page.getByRole('heading', { name: 'Confirm your email address' }).waitFor();
        await enterCode('000000');
        await page.getByText('Incorrect code').waitFor();
        await enterCode(await mailedCode(EMAIL));
        const signedIn = await arrive();
        expect(signedIn.user).toMatchObject({ email: EMAIL, email_verified: true });

        const { url } = await service();
        await again();
        await arrive();
        await page.goto(`${url}/user_management/sessions/logout?session_id=${readSessionId(signedIn)}`);
        await again();
        await page.getByRole('heading', { name: /^Sign in to/ }).waitFor();
        await enter(EMAIL, 'not the right one');
        expect(await page.getByLabel('Password', { exact: true }).getAttribute('aria-invalid')).toBe('true');
        await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
        await press('Sign in');
        expect((await arrive()).authentication_method).toBe('Password');
      },
      SLOW,
    );

    test(
      'accept a mailed code after going back, and count a form that is sent twice only once',
      async () => {
        await makeUser(EMAIL);
        await begin(script);
        await page.getByLabel('Email address').fill('mistyped@example.com');
        await press('Continue');
        await page.getByLabel('Password', { exact: true }).waitFor();
        await steps.goBack(page);
        await page.getByLabel('Email address').fill(EMAIL);
        await press('Continue');
        expect(await page.getByText(EMAIL).count()).toBe(1);
        await press('Email me a sign-in code');
        const code = await mailedCode(EMAIL);
        await page.getByLabel('Six-digit code').fill(script ? code.slice(0, 5) : code);
        // With JavaScript, the sixth digit submits the form.
        if (script) await page.getByLabel('Six-digit code').press(code.slice(5));
        else await page.getByRole('button', { name: 'Continue', exact: true }).dblclick();
        expect((await arrive()).authentication_method).toBe('MagicAuth');
        // No form can be sent again after the application was reached, so the sign-in continues in the same way.
        await steps.goBack(page);
        await page.waitForURL(
          (address) => address.href.startsWith(app.callback) || address.pathname.startsWith('/hosted/'),
        );
      },
      SLOW,
    );

    test(
      'replace a forgotten password by a new one',
      async () => {
        await makeUser(EMAIL);
        await begin(script);
        await page.getByLabel('Email address').fill(EMAIL);
        await press('Continue');
        await page.getByRole('link', { name: 'Forgot your password?' }).click();
        expect(await page.getByLabel('Email address').inputValue()).toBe(EMAIL);
        await press('Send reset link');
        await page.getByRole('heading', { name: 'Check your email' }).waitFor();
        await page.goto((await messages(EMAIL))[0]?.links[0] ?? '');
        await page.getByLabel('New password').fill('another set of tulips');
        await press('Save new password');
        await page.getByRole('heading', { name: 'Your password has been changed' }).waitFor();
        await again();
        await enter(EMAIL, 'another set of tulips');
        await arrive();
      },
      SLOW,
    );

    test(
      'enroll a second factor with the key next to the QR code, and then require it',
      async () => {
        await makeUser(EMAIL);
        await call('PUT', '/x/authentication/settings', { mfa: 'required' });
        await begin(script);
        await enter();
        await page.getByRole('img', { name: /QR code/ }).waitFor();
        await page.getByText('Can’t scan the code?').click();
        const key = (await page.locator('code').innerText()).replaceAll(' ', '');
        await enterCode(await totp(key, await now()), 'Confirm');
        await arrive();
        await advance(60);
        await again({ prompt: 'login' });
        await enter();
        await page.getByRole('heading', { name: 'Verify it’s you' }).waitFor();
        await enterCode(await totp(key, await now()));
        await arrive();
      },
      SLOW,
    );

    test(
      'accept an invitation, and then let the user choose an organization',
      async () => {
        const ids: string[] = [];
        for (const name of ['Engines', 'Looms']) {
          ids.push((await call<{ id: string }>('POST', '/organizations', { name })).body.id);
        }
        const id = await makeUser(EMAIL);
        await call('POST', '/user_management/organization_memberships', { user_id: id, organization_id: ids[0] });
        const invitation = { email: EMAIL, organization_id: ids[1] };
        const { body } = await call<{ accept_invitation_url: string }>(
          'POST',
          '/user_management/invitations',
          invitation,
        );
        await begin(script);
        await page.goto(body.accept_invitation_url);
        await page.getByRole('heading', { name: 'Join Looms' }).waitFor();
        await press('Accept invitation');
        await press('Continue');
        await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
        await press('Sign in');
        expect((await arrive()).organization_id).toBe(ids[1]);
        await again();
        await press('Engines');
        expect((await arrive()).organization_id).toBe(ids[0]);
      },
      SLOW,
    );

    test(
      'sign in a device',
      async () => {
        await makeUser(EMAIL);
        await begin(script);
        const { clientId } = await service();
        const { body } = await call<{ user_code: string; verification_uri: string; device_code: string }>(
          'POST',
          '/user_management/authorize/device',
          { client_id: clientId },
          { apiKey: null },
        );
        await page.goto(body.verification_uri);
        await page.getByLabel('Code on the device').fill(body.user_code.toLowerCase());
        await press('Continue');
        await enter();
        await page.getByRole('heading', { name: 'Allow this device?' }).waitFor();
        expect(await page.getByText(body.user_code).count()).toBe(1);
        await press('Allow');
        await page.getByRole('heading', { name: 'Your device is connected' }).waitFor();
        const grant = {
          grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
          device_code: body.device_code,
          client_id: clientId,
        };
        expect((await call('POST', '/user_management/authenticate', grant, { apiKey: null })).status).toBe(200);
      },
      SLOW,
    );
  });

  describe('Radar', () => {
    test(
      'gets the report of the script in the page, which finds that a program controls the browser',
      async () => {
        await makeUser(EMAIL);
        await call('PUT', '/x/radar/settings', { sign_in: 'all' });
        await advance(6);
        await begin(true);
        await page.getByLabel('Email address').fill(EMAIL);
        await press('Continue');
        await page.waitForFunction(() => {
          const field = document.querySelector<HTMLInputElement>('input[data-signals]');
          return field?.value.startsWith('radar_signals_') === true;
        });
        await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
        await press('Sign in');
        // Chromium under the control of a test reports it, and has the user agent of a browser without a window.
        await enterCode(await mailedCode(EMAIL));
        await arrive();
      },
      SLOW,
    );
  });

  describe('the form-action policy', () => {
    test(
      'lets an application redirect further, but only to an origin in the settings',
      async () => {
        await makeUser(EMAIL);
        const target = await application();
        const forwarding = await application(() => target.callback.replace('/callback', '/home'));
        const { origin } = new URL(target.callback);
        await begin(true, { redirect_uri: forwarding.callback });
        await enter();
        const announcements = await eventually(
          () => complaints.join(),
          (text) => text !== '',
        );
        expect(announcements).toContain('form-action');
        complaints.length = 0;
        await call('PUT', '/x/pages/settings', { redirect_origins: [origin] });
        await again({ redirect_uri: forwarding.callback, prompt: 'login' });
        await enter();
        await page.getByRole('heading', { name: 'Signed in' }).waitFor();
        expect(page.url()).toBe(`${origin}/home`);
        await Promise.all([target.close(), forwarding.close()]);
      },
      SLOW,
    );
  });
});

import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { BrowserContext, Page } from 'playwright-core';

import { makeUser, PASSWORD, totp } from '../areas/pages/application.ts';
import { advance, call, messages, now, reset, service } from '../support/service.ts';
import { application, type Application } from './application.ts';
import { closeChromium, describeInChromium, findings, person, picture } from './chromium.ts';
import * as steps from './steps.ts';

const EMAIL = 'ada@example.com';
const SLOW = 300_000;

let app: Application;
let context: BrowserContext | undefined;
let page: Page;
/** Serious and critical findings of axe-core, by page. */
let found: Record<string, string[]>;

beforeEach(async () => {
  await reset({ calm: true });
  app = await application();
  found = {};
});

afterEach(async () => {
  await context?.close();
  context = undefined;
  await app.close();
}, SLOW);

afterAll(() => closeChromium());

const press = (name: string) => steps.press(page, name);
const enter = (email = EMAIL) => steps.enter(page, email);
const enterCode = (code: string, button?: string) => steps.enterCode(page, code, button);

/** Opens a new browser at a page that asks for a sign-in. */
async function begin(colorScheme: 'light' | 'dark', userAgent?: string): Promise<void> {
  await context?.close();
  const more = userAgent === undefined ? {} : { userAgent };
  context = await person({ colorScheme, locale: 'en', viewport: { width: 480, height: 900 }, ...more });
  page = await context.newPage();
  await steps.begin(page, app);
}

async function look(name: string, colorScheme: string): Promise<void> {
  await picture(page, `${name}-${colorScheme}`);
  const serious = await findings(page);
  if (serious.length > 0) found[name] = serious;
}

async function goTo(path: string): Promise<void> {
  const { url } = await service();
  await page.goto(path.startsWith('http') ? path : `${url}${path}`);
}

describeInChromium('the hosted pages, by axe-core', () => {
  describe.each(['light', 'dark'] as const)('in the %s scheme', (colorScheme) => {
    test(
      'the pages have no serious accessibility findings',
      async () => {
        const id = await makeUser(EMAIL);
        await begin(colorScheme);
        await look('sign-in', colorScheme);
        const first = page.url();
        await page.getByLabel('Email address').fill(EMAIL);
        await press('Continue');
        await look('password', colorScheme);
        await page.getByLabel('Password', { exact: true }).fill('wrong');
        await press('Sign in');
        await look('password-wrong', colorScheme);
        await press('Email me a sign-in code');
        await look('code', colorScheme);
        await goTo(first.replace('/sign-in', '/sign-up'));
        await page.getByLabel('Email address').fill('new@example.com');
        await page.getByLabel('Password', { exact: true }).fill('passwordpassword');
        await press('Create account');
        await look('sign-up-wrong', colorScheme);
        await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
        await press('Create account');
        await look('sign-up-code', colorScheme);
        await goTo(first.replace('/sign-in', '/forgot-password'));
        await look('forgot', colorScheme);
        await page.getByLabel('Email address').fill(EMAIL);
        await press('Send reset link');
        await look('forgot-sent', colorScheme);
        const link = (await messages(EMAIL)).find(({ links }) => links.length > 0)?.links[0] ?? '';
        await goTo(link);
        await look('reset', colorScheme);
        await goTo('/device');
        await look('device', colorScheme);
        await goTo('/hosted/signed-out');
        await look('signed-out', colorScheme);
        await goTo('/hosted/sign-in?flow=x');
        await look('expired', colorScheme);
        for (const name of ['Engines', 'Looms']) {
          const { body } = await call<{ id: string }>('POST', '/organizations', { name });
          await call('POST', '/user_management/organization_memberships', { user_id: id, organization_id: body.id });
        }
        await call('PUT', '/x/authentication/settings', { mfa: 'required' });
        await steps.begin(page, app);
        await enter();
        await look('enrolment', colorScheme);
        const key = ((await page.locator('code').textContent()) ?? '').replaceAll(' ', '');
        await enterCode(await totp(key, await now()), 'Confirm');
        await look('organization', colorScheme);
        await advance(60);
        const { clientId } = await service();
        const { body } = await call<{ verification_uri_complete: string }>(
          'POST',
          '/user_management/authorize/device',
          { client_id: clientId },
          { apiKey: null },
        );
        await goTo(body.verification_uri_complete);
        await press('Continue');
        await enter();
        await look('challenge', colorScheme);
        await enterCode(await totp(key, await now()));
        await press('Looms');
        await look('approval', colorScheme);
        await press('Deny');
        await look('denied', colorScheme);
        const invitation = { email: 'bob@example.com', inviter_user_id: id };
        const invited = await call<{ accept_invitation_url: string }>(
          'POST',
          '/user_management/invitations',
          invitation,
        );
        await goTo(invited.body.accept_invitation_url);
        await look('invitation', colorScheme);
        expect(found).toEqual({});
      },
      SLOW,
    );

    test(
      'pages that few users see have no serious accessibility findings either',
      async () => {
        const lookAt = async (name: string, heading: RegExp): Promise<void> => {
          await page.getByRole('heading', { name: heading }).waitFor();
          await look(name, colorScheme);
        };
        await makeUser(EMAIL);
        await call('POST', '/user_management/users', { email: 'eve@example.com', password: PASSWORD });
        await begin(colorScheme);
        await enter('eve@example.com');
        await lookAt('verify-email', /email/i);
        await call('PUT', '/x/authentication/settings', { new_device: 'email_challenge' });
        await begin(colorScheme);
        await enter();
        await steps.arrive(page, app);
        await begin(colorScheme, 'A browser that nobody has seen before');
        await enter();
        await lookAt('verify-device', /it’s you|it's you/);
        await call('PUT', '/x/authentication/settings', { new_device: 'sms_challenge' });
        await makeUser('bob@example.com');
        await begin(colorScheme);
        await enter('bob@example.com');
        await lookAt('verify-phone', /phone/i);
        await goTo('/hosted/reset-password?token=unknown');
        await lookAt('reset-ended', /link/i);
        await goTo('/hosted/invitation?token=unknown');
        await lookAt('invitation-ended', /invitation/i);
        expect(found).toEqual({});
      },
      SLOW,
    );
  });
});

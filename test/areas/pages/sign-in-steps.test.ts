import { beforeEach, describe, expect, test } from '@jest/globals';

import { browser, type Browser, type Page } from '../../support/browser.ts';
import { advance, call, idle, messages, service } from '../../support/service.ts';
import { authorizeUrl, isAtApplication, makeUser, newPerson, PASSWORD } from './application.ts';

const EMAIL = 'ada@example.com';
const HOME = '<a class="button" href="https://app.example.com">';

let person: Browser;

beforeEach(async () => {
  person = await newPerson();
});

const opened = async (more: Record<string, string> = {}, by = person): Promise<Page> =>
  by.open(await authorizeUrl(more));

async function enter(page: Page, email = EMAIL): Promise<Page> {
  const second = await person.submit(page, { email });
  return person.submit(second, { password: PASSWORD });
}

/** Follows a link of a page, selected by its text. */
async function follow({ text, url }: Page, words: string): Promise<Page> {
  const [, address = ''] = new RegExp(`<a [^>]*href="([^"]+)"[^>]*>\\s*${words}`).exec(text) ?? [];
  expect([words, address]).toEqual([words, expect.stringMatching(/./)]);
  return person.open(new URL(address.replaceAll('&amp;', '&'), url).href);
}

/** Creates organizations with a member. @returns their ids */
async function joinOrganizations(userId: string, names: readonly string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const name of names) {
    const { body } = await call<{ id: string }>('POST', '/organizations', { name });
    const membership = { user_id: userId, organization_id: body.id };
    await call('POST', '/user_management/organization_memberships', membership);
    ids.push(body.id);
  }
  await idle();
  return ids;
}

describe('the last page of a sign-in', () => {
  beforeEach(async () => {
    await idle();
  });

  test('links back to the application: after an expired link or invitation, a sign-in in another browser, a logout', async () => {
    const { url, clientId } = await service();
    const invited = await call<{ id: string; accept_invitation_url: string }>('POST', '/user_management/invitations', {
      email: EMAIL,
    });
    await call('POST', `/user_management/invitations/${invited.body.id}/revoke`, {});
    const started = await person.submit(await opened(), { email: EMAIL });
    for (const address of [
      invited.body.accept_invitation_url,
      started.url,
      `${url}/hosted/signed-out?client_id=${clientId}`,
    ]) {
      const { text, status } = await browser().open(address);
      expect([address, status, text.includes(HOME)]).toEqual([address, 200, true]);
    }
  });

  test('links to the page for a new device code if the device has stopped waiting', async () => {
    await makeUser(EMAIL);
    const { clientId } = await service();
    const asked = { client_id: clientId };
    const { body } = await call<{ verification_uri_complete: string }>(
      'POST',
      '/user_management/authorize/device',
      asked,
      { apiKey: null },
    );
    const approval = await enter(await person.submit(await person.open(body.verification_uri_complete)));
    expect(approval.text).toContain('Allow this device?');
    await advance(1_200);
    const ended = await person.open(approval.url);
    expect(ended.text).toContain('This page has expired');
    expect((await follow(ended, 'Start again')).text).toContain('Connect a device');
  });
});

describe('a signed-in user who wants to use another account', () => {
  test('can enter another address on the organization page', async () => {
    const [ada, bob] = [await makeUser(EMAIL), await makeUser('bob@example.com')];
    const [engines = ''] = await joinOrganizations(ada, ['Engines', 'Looms']);
    await joinOrganizations(bob, ['Mills']);
    await person.submit(await enter(await opened()), { organization_id: engines });
    const asked = await opened();
    expect(asked.text).toContain('Choose an organization');
    const first = await follow(asked, 'Use a different account');
    expect(first.url).toContain('/hosted/sign-in?');
    expect(isAtApplication(await enter(first, 'bob@example.com'))).toBe(true);
  });

  test('gets no page with prompt=none', async () => {
    await makeUser(EMAIL);
    const page = await opened({ prompt: 'none' });
    expect(new URL(page.url).searchParams.get('error')).toBe('login_required');
  });

  test('can cancel the enrolment of a second factor', async () => {
    await makeUser(EMAIL);
    await call('PUT', '/x/authentication/settings', { mfa: 'required' });
    const enrol = await enter(await opened());
    expect((await follow(enrol, 'Start again')).text).toContain('Sign in to');
  });
});

describe('a browser without cookies', () => {
  test('gets an explanation on every kind of page', async () => {
    await makeUser(EMAIL);
    const { url } = await service();
    const forgot = await person.open((await opened()).url.replace('/sign-in', '/forgot-password'));
    await person.submit(forgot, { email: EMAIL });
    const link = (await messages(EMAIL))[0]?.links[0] ?? '';
    const invited = await call<{ accept_invitation_url: string }>('POST', '/user_management/invitations', {
      email: 'bob@example.com',
    });
    for (const address of [await authorizeUrl(), `${url}/device`, link, invited.body.accept_invitation_url]) {
      const page = await browser().open(address);
      const otherBrowserPage = await browser().submit(page, {
        email: EMAIL,
        password: PASSWORD,
        user_code: 'BBBB-BBBB',
      });
      expect([address, otherBrowserPage.text.includes('Allow cookies for this site')]).toEqual([address, true]);
    }
  });
});

describe('a name on a page', () => {
  test('that is written from right to left, or has direction marks, does not change the direction of other text', async () => {
    const turning = '\u202eEvil\u2069';
    const id = await makeUser(EMAIL, { first_name: turning, last_name: 'נחמיה' });
    const { body } = await call<{ id: string }>('POST', '/organizations', { name: `שלום ${turning}` });
    const invited = await call<{ accept_invitation_url: string }>('POST', '/user_management/invitations', {
      email: 'bob@example.com',
      inviter_user_id: id,
      organization_id: body.id,
    });
    const { text } = await person.open(invited.body.accept_invitation_url);
    expect(text).toContain('\u2068Evil נחמיה\u2069 invited bob@example.com to \u2068שלום Evil\u2069.');
    await joinOrganizations(id, [turning, 'Looms']);
    expect((await enter(await opened())).text).toContain('<bdi>Evil</bdi>');
  });
});

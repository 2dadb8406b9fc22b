import { beforeEach, describe, expect, test } from '@jest/globals';

import { browser, type Browser, type Page } from '../../support/browser.ts';
import { call, idle, messages } from '../../support/service.ts';
import { authorizeUrl, exchange, isAtApplication, makeUser, newPerson, PASSWORD } from './application.ts';

const EMAIL = 'ada@example.com';

let person: Browser;

beforeEach(async () => {
  person = await newPerson();
});

const opened = async (more: Record<string, string> = {}): Promise<Page> => person.open(await authorizeUrl(more));
const settings = (members: Record<string, unknown>) => call('PUT', '/x/authentication/settings', members);

async function enter(page: Page): Promise<Page> {
  const second = await person.submit(page, { email: EMAIL });
  return person.submit(second, { password: PASSWORD });
}

describe('a browser that stays signed in', () => {
  test('is prompted again if the application requests a choice of account, a sign-up or a login, or sends an invitation', async () => {
    await makeUser(EMAIL);
    const { body: organization } = await call<{ id: string }>('POST', '/organizations', { name: 'Engines' });
    const asked = { email: EMAIL, organization_id: organization.id };
    const { status, body } = await call<{ token: string }>('POST', '/user_management/invitations', asked);
    expect(status).toBe(201);
    await enter(await opened());
    for (const more of [
      { prompt: 'select_account' },
      { prompt: 'create' },
      { prompt: 'consent login' },
      { invitation_token: body.token },
    ]) {
      expect([more, isAtApplication(await opened(more))]).toEqual([more, false]);
    }
    expect(isAtApplication(await opened())).toBe(true);
  });

  test('has to pass a second factor after the environment made it mandatory', async () => {
    await makeUser(EMAIL);
    expect(isAtApplication(await enter(await opened()))).toBe(true);
    await settings({ mfa: 'required' });
    expect((await opened()).url).toContain('/hosted/mfa/enroll');
  });

  test('does not count as proof of an address', async () => {
    await makeUser(EMAIL, { email_verified: false });
    await settings({ require_email_verification: false });
    await enter(await opened());
    const { user } = await exchange((await opened()).url);
    expect(user).toMatchObject({ email: EMAIL, email_verified: false });
  });

  test('is not signed in for longer by a sign-in without a prompt', async () => {
    await makeUser(EMAIL);
    const done = await enter(await opened());
    const { host } = new URL(await authorizeUrl());
    const session = (): string | undefined =>
      [...person.cookies(host)].find(([name]) => name.includes('gatehouse_session'))?.[1];
    const first = session();
    expect([isAtApplication(done), first]).toEqual([true, expect.any(String)]);
    expect(isAtApplication(await opened())).toBe(true);
    expect(session()).toBe(first);
  });
});

describe('a request with prompt=none', () => {
  test('ends with an error in a browser that is not signed in, and cannot be continued later', async () => {
    await makeUser(EMAIL);
    const start = await person.request(await authorizeUrl({ prompt: 'none' }));
    const page = new URL(start.headers.get('location') ?? '', start.url).href;
    expect(new URL((await person.open(page)).url).searchParams.get('error')).toBe('login_required');
    expect((await person.open(page)).text).toContain('This page has expired');
  });

  const readError = ({ url }: Page): string | null => new URL(url).searchParams.get('error');
  const openedSilently = (more: Record<string, string> = {}): Promise<Page> => opened({ prompt: 'none', ...more });

  test('ends with interaction_required instead of a page on which the user would choose an organization, or another account', async () => {
    const userId = await makeUser(EMAIL);
    const ids: string[] = [];
    for (const name of ['Engines', 'Looms', 'Mills']) {
      const { body } = await call<{ id: string }>('POST', '/organizations', { name });
      ids.push(body.id);
    }
    const [engines = '', looms = '', mills = ''] = ids;
    for (const id of [engines, looms])
      await call('POST', '/user_management/organization_memberships', { user_id: userId, organization_id: id });
    await idle();
    await person.submit(await enter(await opened()), { organization_id: engines });
    expect(readError(await openedSilently())).toBe('interaction_required');
    expect(readError(await openedSilently({ organization_id: mills }))).toBe('interaction_required');
    const chosen = await exchange((await openedSilently({ organization_id: looms })).url);
    expect(chosen.organization_id).toBe(looms);
  });

  test('ends with interaction_required if a second factor or a verified address is required, and mails no code', async () => {
    await makeUser(EMAIL, { email_verified: false });
    await settings({ require_email_verification: false });
    expect(isAtApplication(await enter(await opened()))).toBe(true);
    await settings({ require_email_verification: false, mfa: 'required' });
    expect(readError(await openedSilently())).toBe('interaction_required');
    await settings({ require_email_verification: true, mfa: 'optional' });
    await idle();
    const before = (await messages(EMAIL)).length;
    expect(readError(await openedSilently())).toBe('interaction_required');
    await idle();
    expect(await messages(EMAIL)).toHaveLength(before);
    // The same sign-in with pages does mail the code.
    await opened();
    await idle();
    expect(await messages(EMAIL)).toHaveLength(before + 1);
  });
});

describe('a sign-in that was opened in two browsers', () => {
  test('continues in the browser that sent a form first, and has expired in the other', async () => {
    await makeUser(EMAIL);
    const page = await opened();
    const other = browser();
    const otherPage = await other.open(page.url);
    const second = await person.submit(page, { email: EMAIL });
    const late = await other.submit(otherPage, { email: 'eve@example.com' });
    expect([late.status, late.text.includes('This page has expired')]).toEqual([200, true]);
    expect(isAtApplication(await person.submit(second, { password: PASSWORD }))).toBe(true);
  });
});

import { beforeEach, describe, expect, test } from '@jest/globals';

import { type Browser, browser, type Page } from '../../support/browser.ts';
import { newOrganization } from '../../support/organizations.ts';
import { readText } from '../../support/portal.ts';
import { call, service } from '../../support/service.ts';
import { addMembership } from '../../support/users.ts';
import { authorizeUrl, exchange, mailedCode, makeUser, newPerson, PASSWORD } from './application.ts';

const EMAIL = 'ada@example.com';

let person: Browser;

beforeEach(async () => {
  person = await newPerson();
});

const opened = async (more: Record<string, string> = {}): Promise<Page> => person.open(await authorizeUrl(more));

async function enter(): Promise<Page> {
  return person.submit(await person.submit(await opened(), { email: EMAIL }), { password: PASSWORD });
}

describe('the sign-up of an invited person', () => {
  test('names the organization, and accepts the address of the invitation only', async () => {
    const organization_id = await newOrganization('Engines');
    const { body } = await call<{ token: string }>('POST', '/user_management/invitations', {
      email: EMAIL,
      organization_id,
    });
    const page = await opened({ screen_hint: 'sign-up', invitation_token: body.token });
    expect(readText(page)).toContain('Join Engines');
    expect(readText(page)).toContain(`${EMAIL} is invited to Engines`);
    expect(/<input[^>]*name="email"[^>]*>/.exec(page.text)?.[0]).toMatch(/value="ada@example.com"[^>]*readonly/);
    const other = await person.submit(page, { email: 'mallory@example.com', password: PASSWORD });
    expect([other.status, readText(other)]).toEqual([422, expect.stringContaining('for another email address')]);
    const asked = await person.submit(page, { password: PASSWORD });
    const done = await person.submit(asked, { code: await mailedCode(EMAIL) });
    expect((await exchange(done.url)).organization_id).toBe(organization_id);
  });
});

describe('a page for a code', () => {
  test('shows the seconds until a new code can be requested, also without JavaScript', async () => {
    await makeUser(EMAIL);
    const asked = await person.submit(await person.submit(await opened(), { email: EMAIL }), { do: 'code' });
    for (let time = 0; time < 2; time += 1) await person.submit(asked, { do: 'resend' });
    const rejected = await person.submit(asked, { do: 'resend' });
    const seconds = Number(/data-seconds="(\d+)"/.exec(rejected.text)?.[1]);
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(60);
    expect(readText(rejected)).toContain(`Send a new code in ${seconds} s`);
    const code = await mailedCode(EMAIL);
    const done = await person.submit(rejected, { code: `${code.slice(0, 3)}-${code.slice(3)}` });
    expect((await exchange(done.url)).user.email).toBe(EMAIL);
  });
});

describe('the page for choosing an organization', () => {
  test('begins with the one that the user entered last, and has a search for more than eight', async () => {
    const userId = await makeUser(EMAIL);
    const ids: string[] = [];
    for (let at = 0; at < 9; at += 1) {
      ids.push(await newOrganization(`Engines ${at}`));
      await addMembership(userId, ids[at] ?? '');
    }
    const first = await enter();
    expect(first.text).toContain('data-search');
    const last = ids[5] ?? '';
    await exchange((await person.submit(first, { organization_id: last })).url);
    person = browser();
    const again = await enter();
    expect([again.url, readText(again)]).toEqual([expect.stringContaining('/hosted/organization'), expect.any(String)]);
    expect(/name="organization_id"\s+value="([^"]+)"/.exec(again.text)?.[1]).toBe(last);
  });
});

describe('the page that approves a device', () => {
  test('shows the name of the application, the browser, and the age of the request', async () => {
    await makeUser(EMAIL);
    const { url, clientId } = await service();
    const started = await fetch(`${url}/user_management/authorize/device`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0' },
      body: JSON.stringify({ client_id: clientId }),
    });
    const { user_code } = (await started.json()) as { user_code: string };
    const signIn = await person.submit(await person.open(`${url}/device`), { user_code });
    const page = await person.submit(await person.submit(signIn, { email: EMAIL }), { password: PASSWORD });
    const text = readText(page);
    expect(text).toContain('Application Local');
    expect(text).toContain('Device Firefox, Linux');
    expect(text).toMatch(/Requested (now|1 minute ago) \(/);
    expect(text).not.toContain(clientId);
  });
});

describe('the page for the code of a device', () => {
  test('has the brand of the client in its address, also after a wrong code, and none without a client', async () => {
    await call('PUT', '/x/pages/settings', { brand_name: 'Nimbus' });
    const { url, clientId } = await service();
    const started = await call<{ verification_uri: string; verification_uri_complete: string; user_code: string }>(
      'POST',
      '/user_management/authorize/device',
      { client_id: clientId },
      { apiKey: null },
    );
    const { verification_uri, verification_uri_complete, user_code } = started.body;
    const page = await person.open(verification_uri_complete);
    expect(page.text).toContain('Nimbus');
    const wrong = await person.submit(page, { user_code: 'BCDF-GHJK' });
    expect([wrong.status, wrong.text.includes('Nimbus')]).toEqual([422, true]);
    expect((await person.submit(wrong, { user_code })).url).toContain('/hosted/sign-in');
    for (const address of [verification_uri, `${url}/device?client_id=client_%22%3E`, `${url}/device?client_id=x`]) {
      const plain = await person.open(address);
      expect([plain.status, plain.text.includes('Nimbus')]).toEqual([200, false]);
    }
  });
});

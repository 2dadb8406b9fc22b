import { beforeEach, describe, expect, test } from '@jest/globals';

import { browser, type Browser, type Page } from '../../support/browser.ts';
import { addFault, advance, call, service } from '../../support/service.ts';
import { authorizeUrl, makeUser, newPerson, PASSWORD } from './application.ts';

const EMAIL = 'ada@example.com';

interface Asked {
  device_code: string;
  user_code: string;
  verification_uri_complete: string;
}

let person: Browser;
let userId: string;
let device: Asked;

beforeEach(async () => {
  person = await newPerson();
  userId = await makeUser(EMAIL);
  const { clientId } = await service();
  const asked = { client_id: clientId };
  const headers = { 'user-agent': 'a-television/1.0' };
  device = (await call<Asked>('POST', '/user_management/authorize/device', asked, { apiKey: null, headers })).body;
});

/** Enters the device's code, signs the user in, and returns the page after the password. */
async function enter(): Promise<Page> {
  const first = await person.submit(await person.open(device.verification_uri_complete));
  const second = await person.submit(first, { email: EMAIL });
  return person.submit(second, { password: PASSWORD });
}

async function poll() {
  await advance(5);
  const grant_type = 'urn:ietf:params:oauth:grant-type:device_code';
  const body = { grant_type, device_code: device.device_code, client_id: (await service()).clientId };
  return call<{ error?: string; user?: { email: string }; organization_id?: string }>(
    'POST',
    '/user_management/authenticate',
    body,
    { apiKey: null },
  );
}

describe('a device can be approved', () => {
  test('if the first write of its sign-in failed with a conflict and was repeated', async () => {
    const form = await person.open(device.verification_uri_complete);
    await addFault({ target: 'table', kind: 'conflict', operations: ['TransactWriteItems', 'PutItem'], count: 2 });
    expect((await person.submit(form)).text).not.toContain('This page has expired');
    expect((await enter()).text).toContain('Allow this device?');
  });

  test('only in the browser that entered its code: another browser does not show the approval for a link to that sign-in', async () => {
    // A user who is signed in to the pages already.
    const victim = browser();
    const second = await victim.submit(await victim.open(await authorizeUrl()), { email: EMAIL });
    await victim.submit(second, { password: PASSWORD });
    const started = await person.submit(await person.open(device.verification_uri_complete));
    expect(started.url).toContain('/hosted/sign-in?flow=');
    const { text } = await victim.open(started.url);
    expect(text).toContain('This page has expired');
    expect(text).not.toContain(device.user_code);
    expect((await poll()).body.error).toBe('authorization_pending');
  });

  test('only with the approval button on a page that describes the device', async () => {
    const approval = await enter();
    expect(approval.text).toContain('a-television/1.0');
    for (const other of [{}, { do: 'yes' }]) {
      expect((await person.submit(approval, other)).text).toContain('Allow this device?');
    }
    expect((await poll()).body.error).toBe('authorization_pending');
  });

  test('once, and not after it was denied', async () => {
    const approval = await enter();
    await person.submit(approval, { do: 'deny' });
    expect((await person.submit(approval, { do: 'approve' })).text).toContain('was not connected');
    expect((await poll()).body.error).toBe('access_denied');
  });

  test('not after the password that was used in the sign-in was replaced', async () => {
    const approval = await enter();
    await call('PUT', `/user_management/users/${userId}`, { password: 'another set of tulips' });
    const ended = await person.submit(approval, { do: 'approve' });
    expect(ended.text).toContain('This page has expired');
    expect((await poll()).body.error).toBe('authorization_pending');
  });

  test('for the organization that was chosen during the sign-in', async () => {
    const ids: string[] = [];
    for (const name of ['Engines', 'Looms']) {
      const { body } = await call<{ id: string }>('POST', '/organizations', { name });
      await call('POST', '/user_management/organization_memberships', { user_id: userId, organization_id: body.id });
      ids.push(body.id);
    }
    const choice = await enter();
    const approval = await person.submit(choice, { organization_id: ids[1] ?? '' });
    await person.submit(approval, { do: 'approve' });
    expect((await poll()).body.organization_id).toBe(ids[1]);
  });
});

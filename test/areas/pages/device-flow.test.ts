import { beforeEach, describe, expect, test } from '@jest/globals';

import type { Browser, Page } from '../../support/browser.ts';
import { advance, call } from '../../support/service.ts';
import { authorizeUrl, makeUser, newPerson, PASSWORD } from './application.ts';

const EMAIL = 'ada@example.com';

let person: Browser;

beforeEach(async () => {
  person = await newPerson();
});

/** Enters an address and a password. */
async function enter(page: Page, password = PASSWORD, email = EMAIL): Promise<Page> {
  const second = await person.submit(page, { email });
  return person.submit(second, { password });
}

describe('a device', () => {
  interface Asked {
    device_code: string;
    user_code: string;
    verification_uri: string;
    verification_uri_complete: string;
  }

  const ask = async (): Promise<Asked & { client_id: string }> => {
    const client_id = new URL(await authorizeUrl()).searchParams.get('client_id') ?? '';
    const { body } = await call<Asked>('POST', '/user_management/authorize/device', { client_id }, { apiKey: null });
    return { ...body, client_id };
  };

  const poll = async ({ device_code, client_id }: { device_code: string; client_id: string }) => {
    await advance(5);
    const grant_type = 'urn:ietf:params:oauth:grant-type:device_code';
    return call<{ error?: string; user?: { email: string } }>(
      'POST',
      '/user_management/authenticate',
      { grant_type, device_code, client_id },
      { apiKey: null },
    );
  };

  test('is always approved explicitly, on a page with its code, its address and its user', async () => {
    await makeUser(EMAIL);
    const device = await ask();
    const page = await person.open(device.verification_uri);
    const first = await person.submit(page, { user_code: device.user_code.toLowerCase().replace('-', ' ') });
    const approval = await enter(first);
    for (const text of [device.user_code, EMAIL, '127.0.0.1', '<bdi>Local</bdi>'])
      expect(approval.text).toContain(text);
    expect((await poll(device)).body.error).toBe('authorization_pending');
    const done = await person.submit(approval, { do: 'approve' });
    expect(done.text).toContain('Your device is connected');
    expect((await poll(device)).body.user?.email).toBe(EMAIL);

    const another = await ask();
    const asked = await person.submit(await person.open(another.verification_uri_complete));
    expect(asked.text).toContain('Allow this device?');
    const denied = await person.submit(asked, { do: 'deny' });
    expect(denied.text).toContain('was not connected');
    expect((await poll(another)).body.error).toBe('access_denied');
  });

  test('is not found by an unknown code', async () => {
    const page = await person.open((await ask()).verification_uri);
    const rejected = await person.submit(page, { user_code: 'BBBB-BBBB' });
    expect([rejected.status, rejected.text.includes('No device is waiting')]).toEqual([422, true]);
  });
});

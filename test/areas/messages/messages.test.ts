import { beforeEach, describe, expect, test } from '@jest/globals';

import { addFault, advance, call, eventually, idle, messages, reportMail, reset, sdk } from '../../support/service.ts';
import { otherEnvironment } from '../authentication/inside.ts';

interface Message {
  id: string;
  channel: string;
  template: string;
  state: string;
  failure: string | null;
  attempts: number;
  bounce: string | null;
  complained: boolean;
}
interface List {
  data: Message[];
  list_metadata: { before: string | null; after: string | null };
}

const EMAIL = 'grace@navy.example';

beforeEach(() => reset());

async function list(to: string, more = '', apiKey?: string): Promise<List> {
  await idle();
  const options = apiKey === undefined ? {} : { apiKey };
  const response = await call<List>('GET', `/x/messages?to=${encodeURIComponent(to)}${more}`, undefined, options);
  expect([response.status, response.body]).toMatchObject([200, { object: 'list' }]);
  return response.body;
}

describe('the messages to a recipient', () => {
  test('are listed for an address in any case, the newest first, without their content', async () => {
    const invited = await call('POST', '/user_management/invitations', { email: EMAIL });
    expect(invited.status).toBe(201);
    await idle();
    await advance(1);
    await sdk().userManagement.createMagicAuth({ email: EMAIL });
    const sent = await messages(EMAIL);
    const found = await list('GRACE@navy.example');
    expect(found.data).toMatchObject([
      { channel: 'email', template: 'magic-auth', state: 'sent', failure: null, attempts: 1, bounce: null },
      { template: 'invitation', state: 'sent', complained: false },
    ]);
    for (const secret of [sent[0]?.code, sent[1]?.links[0], EMAIL]) {
      expect(typeof secret).toBe('string');
      expect(JSON.stringify(found)).not.toContain(secret);
    }
    expect((await list('other@navy.example')).data).toEqual([]);
    const { apiKey } = await otherEnvironment();
    expect((await list(EMAIL, '', apiKey)).data).toEqual([]);
  });

  test('show a bounce, a complaint, and then why a mail was not sent', async () => {
    await sdk().userManagement.createMagicAuth({ email: EMAIL });
    const [mail] = await messages(EMAIL);
    await reportMail(mail?.id ?? '', 'bounce');
    expect((await list(EMAIL)).data).toMatchObject([{ state: 'sent', bounce: 'permanent' }]);
    await sdk().userManagement.createMagicAuth({ email: EMAIL });
    expect((await list(EMAIL)).data[0]).toMatchObject({ state: 'failed', failure: 'suppressed' });
  });

  test('show a mail that waits while SES does not respond', async () => {
    await addFault({ target: 'mail', kind: 'throttle' });
    await sdk().userManagement.createMagicAuth({ email: EMAIL });
    const found = await eventually(
      async () => (await call<List>('GET', `/x/messages?to=${EMAIL}`)).body.data[0],
      (message) => (message?.attempts ?? 0) > 0,
    );
    expect(found).toMatchObject({ state: 'queued', failure: null });
  });

  test('are listed for a phone number in any spelling', async () => {
    const user = await call<{ id: string }>('POST', '/user_management/users', { email: EMAIL });
    const factor = await call<{ id: string }>('POST', '/auth/factors/enroll', {
      type: 'sms',
      phone_number: '+4917012345678',
    });
    expect([user.status, factor.status]).toEqual([201, 201]);
    const challenge = await call('POST', `/auth/factors/${factor.body.id}/challenge`, {});
    expect(challenge.status).toBe(201);
    expect((await list('+49 170 1234-5678')).data).toMatchObject([{ channel: 'sms', state: 'sent' }]);
  });

  test('can be read in pages until their retention ends', async () => {
    for (let at = 0; at < 5; at += 1) {
      await sdk().userManagement.createMagicAuth({ email: EMAIL });
      await advance(61);
    }
    const seen: string[] = [];
    let after: string | null = '';
    while (after !== null) {
      const page: List = await list(EMAIL, `&limit=2${after === '' ? '' : `&after=${after}`}`);
      seen.push(...page.data.map(({ id }) => id));
      after = page.list_metadata.after;
    }
    expect(seen).toEqual((await list(EMAIL)).data.map(({ id }) => id));
    expect(seen).toHaveLength(5);
    const foreign = await call<{ message: string }>('GET', `/x/messages?to=other@navy.example&after=${seen[0]}`);
    expect([foreign.status, JSON.stringify(foreign.body)]).toEqual([422, expect.stringContaining('begin again')]);
    await advance(31 * 86_400);
    expect((await list(EMAIL)).data).toEqual([]);
  });

  test.each([
    ['no recipient', ''],
    ['a name', 'to=grace'],
    ['a phone number without a country code', 'to=017012345678'],
    ['a cursor of another kind', 'to=grace@navy.example&after=user_01JX0000000000000000000000'],
  ])('rejects %s', async (_, query) => {
    expect((await call('GET', `/x/messages?${query}`)).status).toBe(422);
  });
});

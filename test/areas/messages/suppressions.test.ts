import { beforeEach, describe, expect, test } from '@jest/globals';

import type { FeedbackKind } from '../../../lib/local/messages/feedback.ts';
import { receiver } from '../../support/receiver.ts';
import {
  addFault,
  advance,
  type ApiResponse,
  call,
  idle,
  messages,
  reportMail,
  reset,
  sdk,
} from '../../support/service.ts';
import { setSettings } from '../../support/settings.ts';
import { otherEnvironment } from '../authentication/inside.ts';
import { parsed, subscribe } from '../webhooks/steps.ts';

interface Suppression {
  id: string;
  email: string;
  reason: string;
  detail: string | null;
  email_id: string;
  expires_at: string;
  created_at: string;
  updated_at: string;
}
interface List {
  data: Suppression[];
  list_metadata: { before: string | null; after: string | null };
}

const PATH = '/x/messages/suppressions';
const EMAIL = 'grace@navy.example';

beforeEach(() => reset());

const codesTo = async (email: string): Promise<number> => (await messages(email)).length;
const sendCode = (email: string) => sdk().userManagement.createMagicAuth({ email });

const list = async (query = '', apiKey?: string): Promise<List> => {
  await idle();
  const response = await call<List>('GET', `${PATH}${query}`, undefined, apiKey === undefined ? {} : { apiKey });
  expect(response.status).toBe(200);
  return response.body;
};

/** Sends a mail and makes it bounce. @returns the address's suppression, if there is one */
async function comesBack(kind: FeedbackKind, email = EMAIL): Promise<Suppression | undefined> {
  await sendCode(email);
  const [mail] = await messages(email);
  if (mail === undefined) throw new Error('No mail was sent');
  await reportMail(mail.id, kind);
  return (await list(`?email=${encodeURIComponent(email)}`)).data[0];
}

const suppressed = async (email = EMAIL): Promise<Suppression> => {
  const found = await comesBack('bounce', email);
  if (found === undefined) throw new Error('The address was not suppressed');
  return found;
};

const lift = (id: string, apiKey?: string): Promise<ApiResponse<Record<string, unknown>>> =>
  call('DELETE', `${PATH}/${id}`, undefined, apiKey === undefined ? {} : { apiKey });

describe('a bounced mail', () => {
  test('permanently suppresses its address: it is listed, and gets no mail until the suppression is removed', async () => {
    const found = await suppressed();
    expect(found).toMatchObject({ object: 'email_suppression', email: EMAIL, reason: 'bounce', detail: 'NoEmail' });
    expect(found.email_id).toMatch(/^message_/);
    expect(Date.parse(found.expires_at) - Date.parse(found.created_at)).toBeGreaterThan(179 * 86_400_000);
    expect((await list()).data).toEqual([found]);
    expect((await call('GET', `${PATH}/${found.id}`)).body).toEqual(found);
    const before = await codesTo(EMAIL);
    // The response reveals nothing about the suppression, because otherwise any client could learn whether mail to an
    // address bounced.
    await sendCode(EMAIL.toUpperCase());
    expect(await codesTo(EMAIL)).toBe(before);
    expect((await lift(found.id)).status).toBe(204);
    expect((await list()).data).toEqual([]);
    expect((await call('GET', `${PATH}/${found.id}`)).status).toBe(404);
    await advance(61);
    await sendCode(EMAIL);
    expect(await codesTo(EMAIL)).toBe(before + 1);
  });

  test('because of a full mailbox suppresses nothing', async () => {
    expect(await comesBack('transient_bounce')).toBeUndefined();
    const before = await codesTo(EMAIL);
    await sendCode(EMAIL);
    expect(await codesTo(EMAIL)).toBe(before + 1);
  });

  test('emits events of the mail and of the address, and so does a mail that was not sent', async () => {
    const hooks = await receiver();
    await subscribe(hooks.url, [
      'email.bounced',
      'email.complained',
      'email.suppressed',
      'email_suppression.created',
      'email_suppression.updated',
      'email_suppression.deleted',
    ]);
    const found = await suppressed();
    const [mail] = await messages(EMAIL);
    if (mail === undefined) throw new Error('No mail was sent');
    await reportMail(mail.id, 'complaint');
    await idle();
    await sendCode(EMAIL);
    await idle();
    await lift(found.id);
    const received = (await hooks.until(6)).map(parsed) as unknown as {
      event: string;
      data: object;
      context: object;
    }[];
    const named = (name: string) => received.filter(({ event }) => event === name);
    const email = { object: 'email', email: EMAIL, template: 'magic-auth', suppression_id: found.id };
    expect(named('email.bounced')).toMatchObject([
      { data: { ...email, id: found.email_id, bounce_type: 'permanent', bounce_sub_type: 'NoEmail', status: '5.1.1' } },
    ]);
    expect(named('email.complained')).toMatchObject([{ data: { ...email, complaint_type: 'abuse' } }]);
    expect(named('email_suppression.created')).toMatchObject([{ data: found }]);
    expect(named('email_suppression.updated')).toMatchObject([
      {
        data: { id: found.id, reason: 'complaint', detail: 'abuse' },
        context: { previous_attributes: { reason: 'bounce', detail: 'NoEmail', expires_at: found.expires_at } },
      },
    ]);
    expect(named('email.suppressed')).toMatchObject([{ data: email }]);
    expect(named('email.suppressed')[0]?.data).not.toMatchObject({ id: found.email_id });
    expect(named('email_suppression.deleted')).toMatchObject([{ data: { id: found.id, reason: 'complaint' } }]);
    expect(received).toHaveLength(6);
  });

  test('by a complaint about an invitation keeps no sign-in of its reader, and one about a code keeps all mail', async () => {
    const invite = (email = EMAIL) => call('POST', '/user_management/invitations', { email });
    expect((await invite()).status).toBe(201);
    const [invitation] = await messages(EMAIL);
    await reportMail(invitation?.id ?? '', 'complaint');
    await idle();
    const [found] = (await list(`?email=${encodeURIComponent(EMAIL)}`)).data;
    expect(found).toMatchObject({ reason: 'complaint' });
    await sendCode(EMAIL);
    const [code] = await messages(EMAIL);
    expect([await codesTo(EMAIL), /\b\d{6}\b/.test(code?.text ?? '')]).toEqual([2, true]);
    const { body } = await call<{ id: string }>('POST', '/organizations', { name: 'Acme' });
    await call('POST', '/user_management/invitations', { email: EMAIL, organization_id: body.id });
    expect(await codesTo(EMAIL)).toBe(2);
    await reportMail(code?.id ?? '', 'complaint');
    const [wider] = (await list(`?email=${encodeURIComponent(EMAIL)}`)).data;
    expect(wider).toMatchObject({ id: found?.id, reason: 'complaint' });
    expect(wider?.email_id).not.toBe(found?.email_id);
    await sendCode(EMAIL);
    expect(await codesTo(EMAIL)).toBe(2);
  });

  test('emits its events once, however often the queue delivers the report and despite table faults', async () => {
    await addFault({ target: 'table', kind: 'conflict', operations: ['TransactWriteItems'], count: 3 });
    await sendCode(EMAIL);
    const [mail] = await messages(EMAIL);
    await Promise.all(Array.from({ length: 8 }, () => reportMail(mail?.id ?? '', 'bounce')));
    expect((await list()).data).toHaveLength(1);
  });
});

describe('the list of suppressions', () => {
  test('has pages, newest first, without expired ones', async () => {
    const emails = Array.from({ length: 5 }, (_, at) => `p${at}@navy.example`);
    for (const email of emails.slice(0, 2)) await suppressed(email);
    await advance(100 * 86_400);
    for (const email of emails.slice(2)) await suppressed(email);
    expect((await list()).data.map(({ email }) => email)).toEqual([...emails].reverse());
    const first = await list('?limit=2');
    const second = await list(`?limit=2&after=${first.list_metadata.after}`);
    expect([...first.data, ...second.data].map(({ email }) => email)).toEqual([...emails].reverse().slice(0, 4));
    await advance(90 * 86_400);
    expect((await list()).data.map(({ email }) => email)).toEqual(emails.slice(2).reverse());
    const rest = await list(`?limit=2&after=${second.data[1]?.id}`);
    expect(rest.data).toEqual([]);
    expect((await list(`?email=${emails[0]}`)).data).toEqual([]);
  });

  test('finds an address in upper and lower case, and rejects an invalid one', async () => {
    const found = await suppressed();
    expect((await list('?email=GRACE@Navy.example')).data).toEqual([found]);
    expect((await list('?email=ada@navy.example')).data).toEqual([]);
    for (const email of ['none', '', '🔑@x', 'a@b\uffff.example', `${'x'.repeat(5_000)}@navy.example`]) {
      const response = await call('GET', `${PATH}?email=${encodeURIComponent(email)}`);
      expect(response).toMatchObject({ status: 422, body: { errors: [{ field: 'email' }] } });
    }
  });
});

describe('another environment', () => {
  test('cannot read or remove a suppression, and can still mail the address', async () => {
    const found = await suppressed();
    const { apiKey } = await otherEnvironment();
    expect((await list('', apiKey)).data).toEqual([]);
    expect((await list(`?email=${EMAIL}`, apiKey)).data).toEqual([]);
    const foreign = await call('GET', `${PATH}/${found.id}`, undefined, { apiKey });
    const missing = await call('GET', `${PATH}/email_suppression_01KF0000000000000000000000`, undefined, { apiKey });
    expect([foreign.status, foreign.body]).toEqual([404, missing.body]);
    expect((await lift(found.id, apiKey)).status).toBe(404);
    expect((await list(`?after=${found.id}`, apiKey)).data).toEqual([]);
    expect((await list()).data).toEqual([found]);
    const before = await codesTo(EMAIL);
    const { status } = await call('POST', '/user_management/magic_auth', { email: EMAIL }, { apiKey });
    expect(status).toBe(201);
    expect(await codesTo(EMAIL)).toBe(before + 1);
  });
});

describe('removing a suppression', () => {
  test('is possible three times in 30 days for an address, with Retry-After', async () => {
    for (let time = 1; time <= 3; time += 1) {
      const { id } = await suppressed();
      expect((await lift(id)).status).toBe(204);
      await advance(61);
    }
    const { id } = await suppressed();
    const rejected = await lift(id);
    expect(rejected).toMatchObject({ status: 429, body: { code: 'rate_limit_exceeded' } });
    expect(Number(rejected.headers['retry-after'])).toBeGreaterThan(29 * 86_400);
    const other = await suppressed('ada@navy.example');
    expect((await lift(other.id)).status).toBe(204);
    await advance(30 * 86_400);
    expect((await lift(id)).status).toBe(204);
  });

  test('is limited by the environment’s setting, whose window cannot be shorter than the default', async () => {
    await setSettings({ limits: { 'suppression-lift.email': { limit: 1, window_seconds: 60 } } });
    expect((await lift((await suppressed()).id)).status).toBe(204);
    await advance(61);
    const rejected = await lift((await suppressed()).id);
    expect(rejected.status).toBe(429);
    expect(Number(rejected.headers['retry-after'])).toBeGreaterThan(29 * 86_400);
  });

  test('in parallel succeeds once', async () => {
    const { id } = await suppressed();
    const responses = await Promise.all(Array.from({ length: 6 }, () => lift(id)));
    const statuses = responses.map(({ status }) => status).sort();
    expect(statuses.filter((status) => status === 204)).toHaveLength(1);
    expect(statuses.every((status) => [204, 404, 429, 503].includes(status))).toBe(true);
  });
});

describe('the local control for bounces', () => {
  test('rejects an unknown message and an unknown kind', async () => {
    const post = (body: object) => call('POST', '/_local/feedback', body);
    expect((await post({ message_id: 'message_none', kind: 'bounce' })).status).toBe(404);
    expect((await post({ message_id: 'message_none', kind: 'explode' })).status).toBe(422);
    expect((await post({ kind: 'bounce' })).status).toBe(422);
  });
});

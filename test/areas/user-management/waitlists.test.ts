import { beforeEach, describe, expect, test } from '@jest/globals';

import { receiver } from '../../support/receiver.ts';
import { type ApiResponse, call, eventually, idle, messages, reset, sdk } from '../../support/service.ts';
import { addUser } from '../../support/users.ts';
import { subscribe } from '../webhooks/steps.ts';
import { act, invited, listed, setInvitations } from './organizations.ts';
import { retryCall } from '../../support/retries.ts';

interface Entry {
  id: string;
  email: string;
  state: string;
  approved_at: string | null;
  additional_fields: Record<string, string>;
  waitlist_id: string;
}

const email = 'grace@example.com';
const WAITLISTS = '/user_management/waitlists';

const join = (body: object, waitlist = 'default'): Promise<ApiResponse<Entry>> =>
  call<Entry>('POST', `${WAITLISTS}/${waitlist}/entries`, body);

const joined = async (body: object = { email }): Promise<Entry> => {
  const response = await join(body);
  expect(response).toMatchObject({ status: 201 });
  return response.body;
};

const decide = (id: string, verb: 'approve' | 'deny'): Promise<ApiResponse<Entry>> =>
  call<Entry>('POST', `/user_management/waitlist_entries/${id}/${verb}`);

const entries = async (query = '', waitlist = 'default'): Promise<Entry[]> =>
  (await call<{ data: Entry[] }>('GET', `${WAITLISTS}/${waitlist}/entries${query}`)).body.data;

beforeEach(() => reset());

describe('the default waitlist', () => {
  test('exists from its first entry on, and is found by its id and as `default`', async () => {
    expect((await call('GET', `${WAITLISTS}/default`)).status).toBe(404);
    expect((await call('GET', `${WAITLISTS}/default/entries`)).status).toBe(404);
    expect((await call('GET', WAITLISTS)).body).toMatchObject({ data: [] });
    const { waitlist_id: id } = await joined();
    const { body } = await call<{ id: string }>('GET', `${WAITLISTS}/default`);
    expect(body).toMatchObject({ object: 'waitlist', id });
    expect((await call('GET', `${WAITLISTS}/${id}`)).body).toEqual(body);
    expect((await call('GET', WAITLISTS)).body).toMatchObject({
      data: [body],
      list_metadata: { before: null, after: null },
    });
    expect((await join({ email: 'other@example.com' }, id)).body.waitlist_id).toBe(id);
  });

  test('is created once by parallel first entries', async () => {
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, at) => retryCall(() => join({ email: `p${at}@example.com` }))),
    );
    expect(responses.every(({ status }) => status === 201)).toBe(true);
    expect(new Set(responses.map(({ body }) => body.waitlist_id)).size).toBe(1);
    expect((await call<{ data: unknown[] }>('GET', WAITLISTS)).body.data).toHaveLength(1);
  });

  test('is the only waitlist that can be joined without being created first', async () => {
    const response = await join({ email }, 'waitlist_01JX0000000000000000000000');
    expect(response).toMatchObject({ status: 404, body: { code: 'not_found' } });
  });

  test('can be managed with the official SDK', async () => {
    const { userManagement } = sdk();
    const entry = await userManagement.createWaitlistEntry('default', { email });
    expect(entry).toMatchObject({ email, state: 'pending' });
    const { data } = await userManagement.listWaitlists();
    expect(data).toHaveLength(1);
    expect(await userManagement.approveWaitlistEntry(entry.id)).toMatchObject({ state: 'approved' });
    await userManagement.deleteWaitlistEntry(entry.id);
  });
});

describe('joining a waitlist', () => {
  test('twice returns the existing entry', async () => {
    const first = await joined({ email: 'Grace@Example.com', additional_fields: { company: 'Acme' } });
    expect(first).toMatchObject({
      object: 'waitlist_entry',
      email,
      state: 'pending',
      approved_at: null,
      additional_fields: { company: 'Acme' },
    });
    expect(await joined({ email, additional_fields: { company: 'Other' }, send_confirmation_email: true })).toEqual(
      first,
    );
    expect(await messages(email)).toEqual([]);
  });

  test('in parallel creates one entry, which every call returns', async () => {
    const responses = await Promise.all(Array.from({ length: 20 }, () => retryCall(() => join({ email }))));
    expect(responses.every(({ status }) => status === 201)).toBe(true);
    expect(new Set(responses.map(({ body }) => body.id)).size).toBe(1);
    await idle();
    expect(await entries()).toHaveLength(1);
  });

  test('sends a confirmation mail if configured', async () => {
    await joined();
    expect(await messages()).toEqual([]);
    await joined({ email: 'ada@example.com', send_confirmation_email: true });
    const [mail] = await messages('ada@example.com');
    expect(mail?.subject).toContain('waitlist');
    expect(mail?.links).toEqual([]);
  });

  test('is rejected for existing users', async () => {
    await addUser(email);
    expect(await join({ email: 'GRACE@example.com' })).toMatchObject({
      status: 422,
      body: { code: 'user_already_exists' },
    });
  });

  test.each([
    ['no address', { email: 'nobody' }, 'email'],
    ['an address at no host', { email: 'a@[10.0.0.1]' }, 'email'],
    ['a field that is no text', { email, additional_fields: { seats: 5 } }, 'additional_fields.seats'],
    ['a long name of a field', { email, additional_fields: { ['n'.repeat(41)]: 'x' } }, 'additional_fields'],
    ['a long field', { email, additional_fields: { note: 'x'.repeat(601) } }, 'additional_fields.note'],
    [
      'too many fields',
      { email, additional_fields: Object.fromEntries(Array.from({ length: 51 }, (_, at) => [`f${at}`, 'x'])) },
      'additional_fields',
    ],
  ])('rejects %s and names the member', async (_what, body, field) => {
    const response = await call<{ errors: { field: string }[] }>('POST', `${WAITLISTS}/default/entries`, body);
    expect({ status: response.status, field: response.body.errors[0]?.field.startsWith(field) }).toEqual({
      status: 422,
      field: true,
    });
  });
});

describe('approving an entry', () => {
  test('invites its address, once', async () => {
    const { id } = await joined();
    const { status, body } = await decide(id, 'approve');
    expect({ status, state: body.state, isDated: body.approved_at !== null }).toEqual({
      status: 200,
      state: 'approved',
      isDated: true,
    });
    await idle();
    const { data } = await listed(`?email=${email}`);
    expect(data).toMatchObject([{ state: 'pending', organization_id: null }]);
    const [mail] = await messages(email);
    expect(mail?.links).toContain(data[0]?.accept_invitation_url);
    expect(await decide(id, 'approve')).toMatchObject({ status: 422, body: { code: 'invalid_state' } });
    expect(await decide(id, 'deny')).toMatchObject({ status: 422, body: { code: 'invalid_state' } });
  });

  test('succeeds only once in twenty parallel requests', async () => {
    const { id } = await joined();
    const responses = await Promise.all(Array.from({ length: 20 }, () => retryCall(() => decide(id, 'approve'))));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await messages(email)).toHaveLength(1);
  });

  test('overrides a denial, and only a pending entry can be denied', async () => {
    const { id } = await joined();
    expect(await decide(id, 'deny')).toMatchObject({ status: 200, body: { state: 'denied', approved_at: null } });
    expect(await decide(id, 'deny')).toMatchObject({ status: 422, body: { code: 'invalid_state' } });
    expect(await messages()).toEqual([]);
    expect(await decide(id, 'approve')).toMatchObject({ status: 200, body: { state: 'approved' } });
  });

  test('sends a pending invitation again', async () => {
    const { id: invitationId } = await invited({ email });
    const { id } = await joined();
    expect((await decide(id, 'approve')).status).toBe(200);
    await idle();
    expect((await listed(`?email=${email}`)).data.map((invitation) => invitation.id)).toEqual([invitationId]);
    expect(await messages(email)).toHaveLength(2);
  });

  test.each([
    ['no mail', async () => setInvitations({ undeliverable_domains: ['example.com'] })],
    ['there is a user', async () => void (await addUser(email))],
  ])('is stored even if no invitation can be sent, and the message names the reason: %s', async (reason, hinder) => {
    const { id } = await joined();
    await hinder();
    const message: unknown = expect.stringContaining(`no invitation was sent: ${reason}`);
    expect(await decide(id, 'approve')).toMatchObject({
      status: 422,
      body: { code: 'invitation_email_not_sent', message },
    });
    expect(await entries(`?email=${email}`)).toMatchObject([{ state: 'approved' }]);
    expect(await messages()).toEqual([]);
    expect(await decide(id, 'approve')).toMatchObject({ status: 422, body: { code: 'invalid_state' } });
  });
});

describe('deleting an entry', () => {
  test('allows its address to join again, and keeps its invitation', async () => {
    const { id } = await joined();
    await decide(id, 'approve');
    await idle();
    const remove = () => call('DELETE', `/user_management/waitlist_entries/${id}`);
    expect((await remove()).status).toBe(204);
    expect((await remove()).status).toBe(404);
    const [invitation] = (await listed(`?email=${email}`)).data;
    expect(invitation?.state).toBe('pending');
    expect((await joined()).state).toBe('pending');
    expect((await act(invitation?.id ?? '', 'revoke')).status).toBe(200);
  });

  test('of an unknown id returns 404, as do approving and denying it', async () => {
    const missing = 'wl_user_01JX0000000000000000000000';
    expect((await call('DELETE', `/user_management/waitlist_entries/${missing}`)).status).toBe(404);
    expect((await decide(missing, 'approve')).status).toBe(404);
    expect((await decide(missing, 'deny')).status).toBe(404);
  });
});

describe('the entries of a waitlist', () => {
  test('are listed by state and address, each once, in pages', async () => {
    const ids: string[] = [];
    for (let at = 0; at < 6; at += 1) ids.push((await joined({ email: `p${at}@example.com` })).id);
    await decide(ids[1] ?? '', 'approve');
    await decide(ids[2] ?? '', 'deny');
    await idle();
    const readIds = async (query: string) => (await entries(query)).map(({ id }) => id);
    expect(await readIds('?order=asc')).toEqual(ids);
    expect(await readIds('')).toEqual(ids.toReversed());
    expect(await readIds(`?limit=2&before=${ids[4] ?? ''}`)).toEqual([ids[3], ids[2]]);
    expect(await readIds('?state=pending&order=asc')).toEqual([ids[0], ids[3], ids[4], ids[5]]);
    expect(await readIds(`?state=pending&order=asc&limit=2&after=${ids[0] ?? ''}`)).toEqual([ids[3], ids[4]]);
    expect(await readIds('?state=approved')).toEqual([ids[1]]);
    expect(await readIds('?state=denied')).toEqual([ids[2]]);
    expect(await readIds('?email=P1@example.com')).toEqual([ids[1]]);
    expect(await readIds('?email=p1@example.com&state=pending')).toEqual([]);
    expect(await readIds(`?email=p1@example.com&order=asc&after=${ids[1] ?? ''}`)).toEqual([]);
    expect(await readIds('?email=nonsense')).toEqual([]);
    expect((await call('GET', `${WAITLISTS}/default/entries?state=unknown`)).status).toBe(422);
  });
});

describe('the events of a waitlist', () => {
  test('are delivered for joining, approving and denying', async () => {
    const hook = await receiver();
    await subscribe(hook.url, ['waitlist_user.created', 'waitlist_user.approved', 'waitlist_user.denied']);
    const [first, second] = [await joined(), await joined({ email: 'ada@example.com' })];
    await decide(first.id, 'approve');
    await decide(second.id, 'deny');
    const events = await eventually(
      () => hook.requests.map(({ body }) => JSON.parse(body) as { event: string; data: Entry }),
      (found) => found.length === 4,
    );
    const approved = events.find(({ event }) => event === 'waitlist_user.approved');
    expect(approved?.data).toMatchObject({ object: 'waitlist_user', id: first.id, state: 'approved', email });
    const denied = events.find(({ event }) => event === 'waitlist_user.denied');
    expect(denied?.data).toMatchObject({ id: second.id, state: 'denied' });
  });

  test('include an approval even if no invitation can be sent', async () => {
    const hook = await receiver();
    await subscribe(hook.url, ['waitlist_user.approved', 'invitation.created']);
    const { id } = await joined();
    await addUser(email);
    expect((await decide(id, 'approve')).status).toBe(422);
    await idle();
    expect(hook.requests.map(({ body }) => (JSON.parse(body) as { event: string }).event)).toEqual([
      'waitlist_user.approved',
    ]);
  });
});

import { beforeEach, expect, test } from '@jest/globals';

import { browser, type Page } from '../../support/browser.ts';
import { openPath } from '../../support/console.ts';
import { consolePath, visitConsole, type Visitor } from '../../support/console-pages.ts';
import { readText } from '../../support/portal.ts';
import { call, idle, reset } from '../../support/service.ts';
import { addSession, addUser, readSessions } from '../../support/users.ts';

let visitor: Visitor;
let userId: string;
let page: Page;

beforeEach(async () => {
  await reset({ calm: true });
  userId = await withSession('ada@acme.example');
  visitor = await visitConsole();
  page = await visitor.open(`users/${userId}`);
});

/** A further user with a session. */
async function withSession(email: string): Promise<string> {
  const id = await addUser(email);
  await addSession(id);
  return id;
}

const REASON = { reason: 'Ticket 4711: lost phone' };
const FORM = 'value="revoke-session"';

/** Submits the form that revokes the session, with changes. */
const revoke = (changes: Record<string, string>): Promise<Page> => visitor.person.submit(page, changes, FORM);

const isActive = async (): Promise<boolean> => (await readSessions(userId)).length === 1;

test('an act is done once its form is sent with a reason, and the page reports it', async () => {
  const after = await revoke(REASON);
  expect([after.status, readText(after)]).toEqual([200, expect.stringContaining('The session is revoked.')]);
  const { body } = await call<{ data: { status: string }[] }>('GET', `/user_management/users/${userId}/sessions`);
  expect(body.data.map(({ status }) => status)).not.toContain('active');
});

test('an act without a reason is rejected, and nothing changes', async () => {
  for (const reason of ['', '   ', 'abc', 'x'.repeat(201)]) {
    const after = await revoke({ reason });
    expect([after.status, readText(after)]).toEqual([422, expect.stringContaining('Give a reason')]);
  }
  expect(await isActive()).toBe(true);
});

test('a form with the proof of another page, of another session or without one is rejected', async () => {
  const other = await visitor.open(`users/${await withSession('bob@acme.example')}`);
  const stranger = await (await visitConsole()).open(`users/${userId}`);
  const readProof = ({ text }: Page) => /name="proof" value="([^"]+)"[^]*?value="revoke-session"/.exec(text)?.[1] ?? '';
  for (const proof of [readProof(other), readProof(stranger), '']) {
    expect((await revoke({ ...REASON, proof })).status).toBe(403);
  }
  expect(await isActive()).toBe(true);
});

test('a form that another site sends is rejected, even with a valid proof', async () => {
  const [, proof = ''] =
    /name="proof" value="([^"]+)"\s*\/>\s*<input type="hidden" name="do" value="revoke/.exec(page.text) ?? [];
  const [, sessionId = ''] = /name="session_id" value="([^"]+)"/.exec(page.text) ?? [];
  const body = new URLSearchParams({ proof, do: 'revoke-session', session_id: sessionId, ...REASON }).toString();
  for (const headers of [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }]) {
    const sent = { 'content-type': 'application/x-www-form-urlencoded', ...headers } as Record<string, string>;
    expect((await visitor.person.request(page.url, { method: 'POST', body, headers: sent })).status).toBe(403);
  }
  expect(await isActive()).toBe(true);
});

test('an act that a page does not have is not found, and a form without a session has no effect', async () => {
  expect((await revoke({ ...REASON, do: 'delete-everything' })).status).toBe(404);
  const body = new URLSearchParams({ do: 'revoke-session', ...REASON }).toString();
  const path = await consolePath(`users/${userId}`);
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const { origin } = new URL(page.url);
  expect((await browser().request(`${origin}${path}`, { method: 'POST', body, headers })).status).toBe(401);
  expect(await isActive()).toBe(true);
});

test('an act that the API rejects shows its reason, and the form can be sent again', async () => {
  const after = await revoke({ ...REASON, session_id: 'session_01K0G000000000000000000000' });
  expect([after.status, readText(after)]).toEqual([422, expect.stringContaining('Nothing was changed.')]);
  expect((await revoke(REASON)).status).toBe(200);
});

test('opening any page changes nothing', async () => {
  await idle();
  const count = async () =>
    (await call<{ data: unknown[] }>('GET', '/events?events=session.revoked,user.updated')).body.data.length;
  const before = await count();
  for (const path of [`users/${userId}`, `users/${userId}?do=revoke-session&reason=because`, 'users']) {
    await openPath(visitor.person, await consolePath(path));
  }
  await idle();
  expect([await count(), await isActive()]).toEqual([before, true]);
});

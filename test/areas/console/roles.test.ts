import { beforeEach, expect, test } from '@jest/globals';

import { createConsoleLink } from '../../../functions/faces/console/public.ts';
import { browser, type Browser } from '../../support/browser.ts';
import { openConsole, openPath } from '../../support/console.ts';
import { consolePath, listLinks } from '../../support/console-pages.ts';
import { fillEnvironment, type Records } from '../../support/console-records.ts';
import { reset } from '../../support/service.ts';
import { addSession, environment } from '../../support/users.ts';

let records: Records;

beforeEach(async () => {
  await reset({ calm: true });
  await environment();
  records = await fillEnvironment(() => 'Plain');
  await addSession(records.userId);
  await openConsole();
});

/** Signs in an operator with one role. */
async function signIn(role: string): Promise<Browser> {
  const person = browser();
  const page = await openPath(person, await createConsoleLink({ email: `${role}@example.com`, role }));
  await person.submit(page);
  return person;
}

const open = async (person: Browser, page: string) => openPath(person, await consolePath(page));

test('a viewer sees configuration, no people, and no act; the pages of people are not found', async () => {
  const person = await signIn('viewer');
  const links = listLinks(await open(person, ''));
  expect(links).toContain(await consolePath('flags'));
  expect(links).not.toContain(await consolePath('users'));
  for (const page of ['users', `users/${records.userId}`, 'invitations', 'events']) {
    expect([page, (await open(person, page)).status]).toEqual([page, 404]);
  }
  const organization = await open(person, `organizations/${records.organizationId}`);
  expect([organization.status, organization.text.includes('<form method="post" action="/console/e/')]).toEqual([
    200,
    false,
  ]);
  expect(organization.text).toContain('Your roles do not include this part.');
});

test.each(['viewer', 'support', 'admin', 'owner'])('every page in the menu of a %s is complete', async (role) => {
  const person = await signIn(role);
  const links = listLinks(await open(person, ''));
  expect(links.length).toBeGreaterThan(5);
  for (const link of links) {
    const { status, text } = await openPath(person, link);
    expect([link, status]).toEqual([link, 200]);
    expect(text).not.toContain('did not respond in time');
  }
});

test('support may revoke a session; a viewer who posts the same form changes nothing', async () => {
  const support = await signIn('support');
  const page = await open(support, `users/${records.userId}`);
  expect(page.text).toContain('value="revoke-session"');
  const viewer = await signIn('viewer');
  const body = new URLSearchParams({ do: 'revoke-session', reason: 'Ticket 4711', session_id: 'session_1' }).toString();
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  expect((await viewer.request(page.url, { method: 'POST', body, headers })).status).toBe(404);
  const done = await support.submit(page, { reason: 'Ticket 4711: lost phone' }, 'value="revoke-session"');
  expect(done.text).toContain('The session is revoked.');
});

import { beforeEach, describe, expect, test } from '@jest/globals';

import { createConsoleLink } from '../../../functions/faces/console/public.ts';
import { browser } from '../../support/browser.ts';
import { openPath } from '../../support/console.ts';
import { act, beginActing, make } from '../../support/console-acts.ts';
import { consolePath, listLinks, type Visitor } from '../../support/console-pages.ts';
import { readText } from '../../support/portal.ts';
import { type Receiver, receiver } from '../../support/receiver.ts';
import { advance, idle, now, reset } from '../../support/service.ts';
import { deliveries, only, organization, subscribe } from '../webhooks/steps.ts';
import { tryPassword } from '../authentication/explaining.ts';

let visitor: Visitor;

beforeEach(async () => {
  await reset({ calm: true });
  visitor = await beginActing();
});

const USER = { email: 'ada@acme.example', password: 'correct horse battery', first_name: 'Ada', last_name: 'Lovelace' };

describe('the page of sign-in problems', () => {
  test('names the step that the password lacks, its begin and its end, and offers the remedy', async () => {
    const { id } = await make('/user_management/users', USER);
    const { id: organizationId } = await make('/organizations', { name: 'Northwind' });
    await make('/user_management/organization_memberships', { user_id: id, organization_id: organizationId });
    expect((await tryPassword(USER.password)).status).toBe(403);
    await idle();
    const page = await visitor.open(`users/${id}/sign-in`);
    const text = readText(page);
    expect(text).toMatch(/step required\s+The password is not enough: the sign-in also needs a mailed code/);
    expect(text).toMatch(/Email address\s+step required/);
    expect(text).toMatch(/was not entered\. It is valid until\s+\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC/);
    expect(text).toContain('Who can change it: the person');
    expect(text).toMatch(/The user is a member of\s+Northwind/);
    expect(listLinks(page)).toContain(await consolePath(`organizations/${organizationId}`));
    expect(text).not.toMatch(/Nothing stops|Changed by|sign in email/);
    expect(readText(await act(page, 'send-verification'))).toContain('The verification mail is on its way.');
  });

  test('names limits in words, and the window in which they count', async () => {
    const { id } = await make('/user_management/users', { ...USER, email_verified: true });
    for (let at = 0; at < 11; at += 1) await tryPassword('wrong');
    await idle();
    const text = readText(await visitor.open(`users/${id}/sign-in`));
    expect(text).toMatch(/cannot sign in\s+The sign-in stops here: 10 of 10 attempts of the limit “Sign-in attempts”/);
    expect(text).toMatch(/Sign-in attempts\s+for this email address\s+10 of 10\s+within 1 minute/);
  });
});

describe('a search for a name', () => {
  test('says that people are not searched by name, and what to do about it', async () => {
    await make('/user_management/users', USER);
    const page = await visitor.open('search?q=lovelace');
    expect(readText(page)).toMatch(
      /not searched by name in this environment\. Search by email address or id, or\s+enable it/,
    );
    expect(listLinks(page)).toContain(await consolePath('other-settings'));
    expect(page.text).not.toContain('PUT /x/search');
    const { text } = await visitor.open('search.json?q=lovelace');
    expect(JSON.parse(text)).toMatchObject({ hits: [], hint: expect.stringContaining('not searched by name') });
    const support = browser();
    await support.submit(
      await openPath(support, await createConsoleLink({ email: 'bob@acme.example', role: 'support' })),
    );
    const other = await openPath(support, await consolePath('search?q=lovelace'));
    expect(readText(other)).toMatch(/ask someone with the permission\s+config\.change\s+to enable it/);
  });
});

describe('a delivery of a webhook', () => {
  let hooks: Receiver;
  beforeEach(async () => {
    hooks = await receiver();
  });

  test('is named by what its event is about, and its endpoint by that it fails', async () => {
    hooks.respondWith({ status: 500 });
    const endpoint = await subscribe(hooks.url);
    const id = await organization('Northwind');
    const { id: delivery } = await only(endpoint, ({ attempt_count: count }) => count > 0);
    expect((await deliveries(endpoint))[0]).toMatchObject({ subject_id: id });
    expect(listLinks(await visitor.open(`webhooks/${endpoint.id}`))).toContain(
      await consolePath(`organizations/${id}`),
    );
    const text = readText(await visitor.open(`webhooks/${endpoint.id}/deliveries/${delivery}`));
    expect(text).toContain('organization.created: Northwind');
    expect(text).toMatch(/1\s+automatic/);
    expect(text).toContain('On its way from the event to the endpoint');
  });

  test('is sent again from the page of its event, and the next page says whether it arrived', async () => {
    hooks.respondWith({ status: 500 });
    const endpoint = await subscribe(hooks.url);
    await organization();
    const failed = await only(endpoint, ({ attempt_count: count }) => count > 0);
    hooks.respondWith({ status: 204 });
    await idle();
    const event = await visitor.open(`events/${failed.event_id}`);
    expect(readText(event)).toContain('Open the delivery');
    const sent = await act(event, 'resend');
    expect(new URL(sent.url).pathname.endsWith(`/webhooks/${endpoint.id}/deliveries/${failed.id}`)).toBe(true);
    await only(endpoint, ({ state }) => state === 'succeeded');
    const text = readText(await openPath(visitor.person, new URL(sent.url).pathname + new URL(sent.url).search));
    expect(text).toContain('It arrived: the endpoint responded with 204.');
    expect(text).toMatch(/2\s+sent again by request/);
  });

  test('that was sent again and did not arrive is reported as such, and its page asks until there is a response', async () => {
    hooks.respondWith({ status: 204 });
    const endpoint = await subscribe(hooks.url);
    await organization();
    const { id } = await only(endpoint, ({ state }) => state === 'succeeded');
    hooks.respondWith({ status: 503, delayMs: 400 });
    const path = `webhooks/${endpoint.id}/deliveries/${id}`;
    const sent = await act(await visitor.open(path), 'resend');
    expect(readText(sent)).toMatch(/There is no response yet|It did not arrive/);
    await only(endpoint, ({ attempt_count: count }) => count > 1);
    expect(readText(await visitor.open(`${path}?done=resend`))).toMatch(
      /It did not arrive: the endpoint\s+responded with 503/,
    );
  });
});

test('a page carries the time of the service, and a sign-in by an API key names it', async () => {
  await advance(86_400 * 4);
  visitor = await beginActing();
  const { id } = await make('/user_management/users', USER);
  await idle();
  const page = await visitor.open(`users/${id}/timeline`);
  const [, time = ''] = /<html lang="en" data-now="([^"]+)"/.exec(page.text) ?? [];
  expect(Math.abs(Date.parse(time) - (await now()))).toBeLessThan(60_000);
  expect(readText(await visitor.open('events'))).toContain('API key “Local key”');
});

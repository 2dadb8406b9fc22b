import { beforeEach, describe, expect, test } from '@jest/globals';

import { eventNames } from '../../../functions/kernel/events/catalogue/names.ts';
import { browser } from '../../support/browser.ts';
import { openPath } from '../../support/console.ts';
import { consolePath, crawl, listLinks, visitConsole, type Visitor } from '../../support/console-pages.ts';
import { fillEnvironment, fillFurther, makeSecrets } from '../../support/console-records.ts';
import { readOperatorsLog } from '../../support/operators-log.ts';
import { PAYLOADS } from '../../support/payloads.ts';
import { readText } from '../../support/portal.ts';
import { call, idle, reset } from '../../support/service.ts';

let visitor: Visitor;

beforeEach(async () => {
  await reset({ calm: true });
  visitor = await visitConsole();
});

const newUser = async (email: string): Promise<string> =>
  (await call<{ id: string }>('POST', '/user_management/users', { email })).body.id;

describe('every page of the console', () => {
  test('is not stored, not framed, runs no inline script, and turns no text into HTML', async () => {
    const { headers } = await visitor.open('users');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('content-encoding')).toBeNull();
    const policy = headers.get('content-security-policy') ?? '';
    for (const rule of [
      `default-src 'none'`,
      `script-src 'self'`,
      `frame-ancestors 'none'`,
      `require-trusted-types-for 'script'`,
      `trusted-types 'none'`,
    ])
      expect(policy.split('; ')).toContain(rule);
    expect(policy).not.toContain('unsafe');
  });

  test('is reached by links from the first one, and no link is broken', async () => {
    let at = 0;
    await fillEnvironment(() => `Text ${(at += 1)}`);
    await idle();
    const pages = await crawl(visitor);
    expect(pages.filter(({ status }) => status !== 200).map(({ url, status }) => `${status} ${url}`)).toEqual([]);
    expect(pages.length).toBeGreaterThan(25);
    for (const { text } of pages) expect(text).not.toMatch(/undefined|\[object |NaN/);
  });

  test('shows no secret of any area, nor does an event or the log of operators', async () => {
    const secrets = await makeSecrets(await fillEnvironment(() => 'Plain'));
    const { body: endpoints } = await call<{ data: { secret: string }[] }>('GET', '/webhook_endpoints');
    const { body: invitations } = await call<{ data: { token: string }[] }>('GET', '/user_management/invitations');
    const listed = [...endpoints.data.map(({ secret }) => secret), ...invitations.data.map(({ token }) => token)];
    const all = [...[...secrets.values()].flat(), ...listed, 'canary-of-the-vault', 'sk_env_', 'grant_'];
    expect(all.length).toBeGreaterThan(18);
    const findIn = (text: string): string[] => all.filter((secret) => text.includes(secret));
    await idle();
    for (const { text, url } of await crawl(visitor)) expect([url, findIn(text)]).toEqual([url, []]);
    const { body: events } = await call('GET', `/events?limit=100&events=${eventNames.join(',')}`);
    expect(findIn(JSON.stringify(events))).toEqual([]);
    expect(findIn((await readOperatorsLog()).join('\n'))).toEqual([]);
  });

  /** A frame of a preview, which has no right. */
  const OWN_FRAME =
    /^<iframe\s+class="preview"\s+title="[^"]*"\s+sandbox=""\s[^>]*\ssrc="\/console\/e\/\w+\/previews\/frame\?[^"]*"\s*>$/;

  /**
   * The tags of a page that are not of its own templates: event handlers, and elements of the payloads. What is between the quotes of
   * the value of a field is text to a browser.
   */
  const listForeign = (text: string): string[] =>
    (text.match(/<[a-z][^>]*>/gi) ?? []).filter(
      (tag) =>
        !OWN_FRAME.test(tag) &&
        / on\w+=|^<(img|iframe|object|embed|base|style|math|video|audio|marquee|template|dialog)\b|javascript:/i.test(
          tag.replace(/^(<(?:input|option)\s[^"<>]*(?:"[^"<>]*"[^"<>]*)*?\svalue=)"[^"<>]*"/i, '$1""'),
        ),
    );

  test('shows each of 60 texts of markup as text, and a page without escaping would not pass', async () => {
    let at = 0;
    const text = (most = 255) => (PAYLOADS[at++ % PAYLOADS.length] ?? '').slice(0, most);
    await fillEnvironment(text);
    await fillFurther(text);
    for (const payload of PAYLOADS) await call('POST', '/organizations', { name: payload });
    await idle();
    let without = 0;
    for (const page of await crawl(visitor, 700)) {
      expect([page.url, listForeign(page.text)]).toEqual([page.url, []]);
      expect(page.text).not.toMatch(/[\u200E\u200F\u202A-\u202E\u2066-\u2069]/u);
      // The page as its templates would make it without escaping.
      const raw = page.text
        .replaceAll('&lt;', '<')
        .replaceAll('&gt;', '>')
        .replaceAll('&quot;', '"')
        .replaceAll('&#39;', "'");
      without += listForeign(raw).length;
    }
    expect(without).toBeGreaterThan(60);
  });
});

describe('a page that an operator may not see', () => {
  test('is the same 404 as one that does not exist', async () => {
    const { person } = visitor;
    const environment = (await consolePath()).split('/')[3] ?? '';
    const foreign = environment.replace(/.$/, 'Z');
    const paths = [
      await consolePath('nothing'),
      await consolePath('users/user_1'),
      `/console/e/${foreign}/users`,
      '/console/nothing',
    ];
    for (const path of paths) {
      const page = await openPath(person, path);
      expect([path, page.status, readText(page).includes('Page not found')]).toEqual([path, 404, true]);
    }
  });

  test('is not found by an id with a slash, which would be the path of another operation', async () => {
    const id = await newUser('ada@acme.example');
    for (const path of [`users/${id}%252Fsessions`, `users/${id}%2Fsessions`, 'organizations/external_id%252Facme']) {
      expect([path, (await visitor.open(path)).status]).toEqual([path, 404]);
    }
  });

  test('asks a browser without a session to sign in, whatever the path', async () => {
    for (const page of ['users', 'nothing']) {
      expect((await openPath(browser(), await consolePath(page))).status).toBe(401);
    }
  });
});

describe('a part of a page', () => {
  test('without data is a sentence, and the other parts are unaffected', async () => {
    const id = await newUser('ada@acme.example');
    const page = await visitor.open(`users/${id}`);
    expect([page.status, readText(page)]).toEqual([
      200,
      expect.stringContaining('This user belongs to no organization.'),
    ]);
  });
});

describe('a list', () => {
  test('links to older and newer records, and does not show their number', async () => {
    const ids: string[] = [];
    for (let at = 0; at < 55; at += 1) ids.push(await newUser(`user-${at}@acme.example`));
    const first = await visitor.open('users');
    expect([first.text.includes(ids[54] ?? '-'), first.text.includes(ids[0] ?? '-')]).toEqual([true, false]);
    const older = /rel="next" href="([^"]+)"/.exec(first.text)?.[1]?.replaceAll('&amp;', '&') ?? '';
    const second = await visitor.open(`users${older}`);
    expect([second.text.includes(ids[0] ?? '-'), second.text.includes(ids[54] ?? '-')]).toEqual([true, false]);
    const newer = /rel="prev" href="([^"]+)"/.exec(second.text)?.[1]?.replaceAll('&amp;', '&') ?? '';
    expect((await visitor.open(`users${newer}`)).text).toContain(ids[54]);
    // The times of the rows may have any number of seconds.
    expect(readText(first).replaceAll(/\d\d:\d\d:\d\d/g, '')).not.toMatch(/\b55\b/);
  });

  test('accepts the filters of the API, and can start at a date', async () => {
    const id = await newUser('ada@acme.example');
    await newUser('bob@acme.example');
    const found = await visitor.open('users?email=ada@acme.example');
    expect([found.text.includes(id), found.text.includes('bob@acme.example')]).toEqual([true, false]);
    expect((await visitor.open('users?date=2020-01-01')).text).not.toContain(id);
    expect((await visitor.open('users?date=2999-01-01')).text).toContain(id);
  });

  test('with a cursor or filter that the API rejects is reported in the page', async () => {
    const page = await visitor.open('users?after=nonsense');
    expect(page.status).toBeLessThan(500);
  });
});

describe('the calls of a page', () => {
  test('are shown as commands that do the same with a key', async () => {
    const id = await newUser('ada@acme.example');
    const { text } = await visitor.open(`users/${id}`);
    expect(text).toContain(`/user_management/users/${id}&#39;`);
    expect(text).toContain('Authorization: Bearer $GATEHOUSE_API_KEY');
    expect(text).toContain(`await workos.userManagement.getUser(&#39;${id}&#39;);`);
  });
});

describe('the assets', () => {
  test('have a digest in their names and can be cached permanently; another name is a 404', async () => {
    const { text } = await visitor.open();
    const names = [...text.matchAll(/"(\/console\/assets\/[^"]+)"/g)].map(([, name = '']) => name);
    expect(names).toHaveLength(2);
    for (const name of names) {
      const { status, headers } = await openPath(browser(), name);
      expect([status, headers.get('cache-control')]).toEqual([200, 'public, max-age=31536000, immutable']);
      expect((await openPath(browser(), name.replace(/-\w+\./, '-0000000000000000.'))).status).toBe(404);
    }
  });
});

describe('the search', () => {
  test('finds a user by address and by id, and leads to the user', async () => {
    const id = await newUser('ada@acme.example');
    for (const text of ['ada@acme.example', id]) {
      expect(listLinks(await visitor.open(`search?q=${text}`))).toContain(await consolePath(`users/${id}`));
    }
  });

  test('gives the palette the same hits as JSON', async () => {
    const id = await newUser('ada@acme.example');
    const { headers, text } = await visitor.open('search.json?q=ada@acme.example');
    expect(headers.get('content-type')).toBe('application/json');
    const { hits } = JSON.parse(text) as { hits: { address: string }[] };
    expect(hits.map(({ address }) => address)).toContain(await consolePath(`users/${id}`));
  });
});

test('the timeline of a user shows its events, and each leads to the record', async () => {
  const id = await newUser('ada@acme.example');
  await call('PUT', `/user_management/users/${id}`, { first_name: 'Ada' });
  await idle();
  const page = await visitor.open(`users/${id}/timeline`);
  expect(readText(page)).toMatch(/user\.updated[^]*user\.created/);
  expect(listLinks(page).filter((link) => link.includes('/events/event_'))).toHaveLength(2);
});

test('a page of a full list has at most 100 KB', async () => {
  for (let at = 0; at < 50; at += 1) await newUser(`a-person-with-a-long-name-${at}@acme.example`);
  await idle();
  for (const path of ['users', 'events']) {
    const { text } = await visitor.open(path);
    expect(text.match(/<tr>/g)?.length).toBeGreaterThan(50);
    expect(Buffer.byteLength(text)).toBeLessThan(100 * 1_024);
  }
});

test('the live tail returns new events as JSON, with links to this console only', async () => {
  await newUser('ada@acme.example');
  await idle();
  const events = await visitor.open('events');
  const [, after = ''] = /data-after="([^"]+)"/.exec(events.text) ?? [];
  const id = await newUser('bob@acme.example');
  await idle();
  const tail = await visitor.open(`events/tail.json?after=${after}`);
  expect(tail.headers.get('content-type')).toBe('application/json');
  const { rows } = JSON.parse(tail.text) as { rows: { event: string; subject: string; address: string }[] };
  expect(rows).toEqual([expect.objectContaining({ event: 'user.created', subject: id })]);
  expect(rows.every(({ address }) => address.startsWith('/console/'))).toBe(true);
});

test('the menu lists only pages that the operator may open', async () => {
  const links = listLinks(await visitor.open());
  expect(links).toContain(await consolePath('users'));
  for (const link of links.slice(0, 60)) expect((await openPath(visitor.person, link)).status).toBe(200);
});

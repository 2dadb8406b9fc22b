import { beforeEach, expect, test } from '@jest/globals';

import { openLink } from '../../support/operators.ts';
import { browser } from '../../support/browser.ts';
import { openPath } from '../../support/console.ts';
import { consolePath, type Visitor, visitConsole } from '../../support/console-pages.ts';
import { readText } from '../../support/portal.ts';
import { call, idle, reset } from '../../support/service.ts';

let visitor: Visitor;
const REASON = { reason: 'Ticket 4711: audit of accounts' };

beforeEach(async () => {
  await reset({ calm: true });
  for (const name of ['ada', 'bob']) await call('POST', '/user_management/users', { email: `${name}@acme.example` });
  visitor = await visitConsole();
});

test('the page of a list exports what its filter selects, and the page of exports has its file', async () => {
  const users = await visitor.open('users?email=ada%40acme.example');
  const sent = await visitor.person.submit(users, { ...REASON, format: 'ndjson' }, 'value="export"');
  expect([new URL(sent.url).pathname, readText(sent)]).toEqual([
    await consolePath('exports'),
    expect.stringContaining('The export is being made.'),
  ]);
  await idle();
  const exports = await visitor.open('exports');
  expect(readText(exports)).toMatch(/email: ada@acme\.example[\s\S]*ready[\s\S]*\b1\b/);
  const file = await visitor.person.submit(exports, REASON, 'value="download"');
  const url = /href="([^"]+)"[^>]*data-download/.exec(file.text)?.[1]?.replaceAll('&amp;', '&') ?? '';
  const text = await (await fetch(url)).text();
  expect(
    text
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { email: string }).email),
  ).toEqual(['ada@acme.example']);
  expect(file.headers.get('cache-control')).toContain('no-store');
  const deleted = await visitor.person.submit(exports, REASON, 'value="delete-file"');
  expect(readText(deleted)).toContain('expired');
});

test('the page of exports offers the file to the operator who made it only, and the sixth export of a day is rejected', async () => {
  for (let at = 0; at < 6; at += 1) {
    const page = await visitor.open('organizations');
    const sent = await visitor.person.submit(page, REASON, 'value="export"');
    expect(sent.status).toBe(at < 5 ? 200 : 422);
    if (at === 5) expect(readText(sent)).toContain('limit of 5 exports a day');
  }
  await idle();
  const other = browser();
  await openLink('grace@gatehouse.example', 'owner', other);
  const page = await openPath(other, await consolePath('exports'));
  expect([page.status, page.text.includes('value="download"'), readText(page)]).toEqual([
    200,
    false,
    expect.stringContaining('ready'),
  ]);
});

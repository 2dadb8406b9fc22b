import { beforeEach, expect, test } from '@jest/globals';

import { openLink } from '../../support/operators.ts';
import { browser } from '../../support/browser.ts';
import { openPath } from '../../support/console.ts';
import { fillEnvironment } from '../../support/console-records.ts';
import { consolePath, type Visitor, visitConsole } from '../../support/console-pages.ts';
import { readText } from '../../support/portal.ts';
import { call, idle, now, reset, sdk, service } from '../../support/service.ts';

let visitor: Visitor;
const PASSWORD = 'a lantern in the gatehouse';
const REASON = { reason: 'Ticket 4711: audit of accounts' };

beforeEach(async () => {
  await reset({ calm: true });
  visitor = await visitConsole();
});

test('the page of a list exports what its filter selects, and the page of exports has its file', async () => {
  for (const name of ['ada', 'bob']) await call('POST', '/user_management/users', { email: `${name}@acme.example` });
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

test('the pages of a user, of an audit log and of a directory export their sessions, events and users', async () => {
  const { userId, organizationId } = await fillEnvironment(() => 'Plain');
  await call('PUT', `/user_management/users/${userId}`, { email_verified: true });
  const { clientId } = await service();
  await sdk().userManagement.authenticateWithPassword({ clientId, email: 'ada@acme.example', password: PASSWORD });
  await call('POST', '/audit_logs/actions/user.signed_in/schemas', { targets: [{ type: 'team' }] });
  const event = {
    action: 'user.signed_in',
    occurred_at: new Date(await now()).toISOString(),
    actor: { id: 'user_1', type: 'user' },
    targets: [{ id: 'team_1', type: 'team' }],
    context: { location: '203.0.113.7' },
  };
  expect((await call('POST', '/audit_logs/events', { organization_id: organizationId, event })).status).toBe(200);
  await idle();
  const directories = await call<{ data: { id: string }[] }>('GET', '/directories');
  const directoryId = directories.body.data[0]?.id ?? '';
  for (const path of [`users/${userId}`, `organizations/${organizationId}/audit-log`, `directories/${directoryId}`]) {
    const page = await visitor.open(path);
    expect((await visitor.person.submit(page, { ...REASON, format: 'csv' }, 'value="export"')).status).toBe(200);
  }
  await idle();
  const exports = readText(await visitor.open('exports'));
  expect(exports).toMatch(new RegExp(`sessions\\s+user_id: ${userId}[\\s\\S]*?ready\\s+1\\b`));
  expect(exports).toMatch(new RegExp(`audit log events\\s+organization_id: ${organizationId}[\\s\\S]*?ready\\s+1\\b`));
  expect(exports).toMatch(new RegExp(`directory users\\s+directory: ${directoryId}[\\s\\S]*?ready\\s+0\\b`));
});

import { beforeEach, describe, expect, test } from '@jest/globals';

import { consoleSessions } from '../../../functions/faces/console/session/session.ts';
import { systemActor } from '../../../functions/kernel/authentication/caller.ts';
import { OPERATORS_ENVIRONMENT_ID } from '../../../functions/kernel/authentication/environment-id.ts';
import { applyWork } from '../../../functions/kernel/storage/background.ts';
import { parseCsv } from '../../../functions/kernel/csv.ts';
import type { OperatorPermission } from '../../../functions/kernel/authentication/operator-permission.ts';
import { askAs, openConsole, operatorGrant } from '../../support/console.ts';
import type { Browser } from '../../support/browser.ts';
import { addFault, advance, call, clearFaults, eventually, idle, reset, service } from '../../support/service.ts';
import { addSession, addUser } from '../../support/users.ts';
import { otherEnvironment } from '../authentication/inside.ts';

interface Export {
  id: string;
  state: string;
  rows: number | null;
  truncated: boolean;
  failure: string | null;
  resource_type: string;
  expires_at: string | null;
}

let person: Browser;
let owner: string;

const PATH = '/x/resource_exports';
const READS: OperatorPermission[] = ['config.read', 'people.read'];

beforeEach(async () => {
  await reset({ calm: true });
  ({ person } = await openConsole());
  owner = await findOperatorId();
});

/** The id of the operator who is signed in: the cookie of the console names its holder. */
async function findOperatorId(): Promise<string> {
  const cookies = person.cookies(new URL((await service()).url).host);
  const [, value = ''] = [...cookies].find(([name]) => /^gatehouse_console_(?!sign_in)/.test(name)) ?? [];
  return value.slice(0, value.indexOf('.'));
}

const grantOfOwner = (permissions = READS): Promise<string> => operatorGrant(permissions, { id: owner });

const create = async (body: Record<string, unknown>, token?: string) =>
  askAs<Export>(token ?? (await grantOfOwner()), 'POST', PATH, body);

async function read(id: string): Promise<Export> {
  return (await askAs<Export>(await grantOfOwner(), 'GET', `${PATH}/${id}`)).body;
}

/** Makes an export and waits until it is finished. */
async function finished(body: Record<string, unknown>): Promise<Export> {
  const made = await create(body);
  expect(made.status).toBe(201);
  await idle();
  return read(made.body.id);
}

const askForFile = async (id: string, token?: string) =>
  askAs<{ url: string; code?: string }>(token ?? (await grantOfOwner()), 'POST', `${PATH}/${id}/download`);

async function download(id: string): Promise<string> {
  const bytes = await (await fetch((await askForFile(id)).body.url)).arrayBuffer();
  return Buffer.from(bytes).toString('utf8');
}

async function readCells(csv: string): Promise<string[][]> {
  const records: string[][] = [];
  for await (const { cells } of parseCsv([csv])) records.push(cells);
  return records;
}

/** The names and the data of events of exports. */
async function readEvents(): Promise<[string, unknown][]> {
  const names = ['created', 'completed', 'failed', 'downloaded'].map((name) => `resource_export.${name}`);
  await advance(5);
  const path = `/events?limit=100&order=asc&${names.map((name) => `events=${name}`).join('&')}`;
  const { body } = await call<{ data: { event: string; data: unknown }[] }>('GET', path);
  return body.data.map(({ event, data }) => [event, data]);
}

describe('an export of a list', () => {
  test('has every record of the list as CSV, which no spreadsheet runs as a formula', async () => {
    const names = [
      '=HYPERLINK("https://evil.example")',
      '+1',
      '-1',
      '@SUM(A1)',
      '\tx',
      'Ada, "the" 😀\r\nLovelace',
      '\uFFFF',
    ];
    for (const [at, name] of names.entries()) {
      await call('POST', '/user_management/users', { email: `user-${at}@acme.example`, first_name: name });
    }
    const made = await finished({ list: 'users', format: 'csv' });
    expect(made).toMatchObject({ state: 'ready', rows: names.length, truncated: false, resource_type: 'users' });
    const csv = await download(made.id);
    expect(csv.startsWith('\uFEFFid,email,')).toBe(true);
    const [head = [], ...rows] = await readCells(csv.slice(1));
    const column = head.indexOf('first_name');
    const cells = rows.map((cell) => cell[column] ?? '');
    expect(cells.filter((cell) => /^[=+\-@\t\r]/.test(cell))).toEqual([]);
    expect(cells).toEqual(
      expect.arrayContaining(['\'=HYPERLINK("https://evil.example")', 'Ada, "the" 😀\r\nLovelace']),
    );
  });

  test('has a record in each line as NDJSON, selected by its filter and without secrets', async () => {
    const { body: organization } = await call('POST', '/organizations', { name: 'Acme' });
    await call('POST', '/user_management/invitations', { email: 'a@acme.example', organization_id: organization.id });
    await call('POST', '/user_management/invitations', { email: 'b@acme.example' });
    const filter = { organization_id: String(organization.id) };
    const made = await finished({ list: 'invitations', format: 'ndjson', filter });
    const lines = (await download(made.id))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines).toEqual([expect.objectContaining({ object: 'invitation', email: 'a@acme.example' })]);
    expect(lines.flatMap((line) => Object.keys(line)).filter((name) => /token|url/.test(name))).toEqual([]);
  });

  test.each([
    ['organizations', {}, 'organizations'],
    ['organization_memberships', {}, 'users'],
    ['events', {}, 'events'],
    ['connections', {}, 'connections'],
    ['directory_users', { directory: 'directory_01JX0000000000000000000000' }, 'directoryUsers'],
  ])('of %s is made with a filter of the list, and reported as its kind of record', async (list, filter, type) => {
    const made = await create({ list, filter, format: 'csv' });
    expect([made.status, made.body.resource_type]).toEqual([201, type]);
    await idle();
    const { state, failure } = await read(made.body.id);
    // The directory does not exist, which the API reports.
    expect(state === 'ready' || failure?.startsWith('The API rejected the list.') === true).toBe(true);
  });

  test('of the sessions of a user and of an audit log has its required filter', async () => {
    const user = await addUser('ada@acme.example');
    await addSession(user);
    const { body: organization } = await call('POST', '/organizations', { name: 'Acme' });
    expect(await finished({ list: 'sessions', filter: { user_id: user } })).toMatchObject({ state: 'ready', rows: 1 });
    const filter = { organization_id: String(organization.id) };
    expect(await finished({ list: 'audit_log_events', filter })).toMatchObject({ state: 'ready', rows: 0 });
  });

  test('emits that it was created, completed and downloaded, once for each click', async () => {
    const { id } = await finished({ list: 'users' });
    await download(id);
    await download(id);
    const data = { id, resource_type: 'users' };
    const named = ['created', 'completed', 'downloaded', 'downloaded'].map((name) => [`resource_export.${name}`, data]);
    expect(await readEvents()).toEqual(named);
  });

  test('fails if its operator is signed out while it is made, and emits it', async () => {
    for (let from = 0; from < 120; from += 20) {
      await Promise.all(Array.from({ length: 20 }, (_, at) => addUser(`user-${from + at}@acme.example`)));
    }
    const grant = await grantOfOwner();
    // Each of the two pages of the list takes longer than the sign-out.
    await addFault({ target: 'table', kind: 'delay', operations: ['Query'], delay_ms: 5_000 });
    const made = await create({ list: 'users' }, grant);
    await applyWork(OPERATORS_ENVIRONMENT_ID, systemActor, async (unit) =>
      consoleSessions.stageEndOfAll(unit, OPERATORS_ENVIRONMENT_ID, owner),
    );
    await clearFaults();
    await idle();
    const { state, failure, rows } = await read(made.body.id);
    expect([state, rows, failure]).toEqual(['failed', null, expect.stringContaining('may no longer read this list')]);
    expect((await askForFile(made.body.id)).body.code).toBe('resource_export_not_ready');
    expect((await readEvents()).map(([name]) => name)).toEqual(['resource_export.created', 'resource_export.failed']);
  });

  test.each([
    ['by a run after the hour of its grant', 3_601],
    ['by the schedule, after 65 minutes without a run', 4_000],
  ])('that no run finishes in time fails %s, with this reason, and emits it once', async (when, seconds) => {
    // Without the bus no run begins.
    await addFault({ target: 'bus', kind: 'unavailable' });
    const { id } = (await create({ list: 'users' })).body;
    await advance(seconds);
    const isBySchedule = when.startsWith('by the schedule');
    if (isBySchedule)
      await eventually(
        async () => read(id),
        ({ state }) => state === 'failed',
      );
    else expect(await read(id)).toMatchObject({ state: 'pending', failure: null });
    await clearFaults();
    await idle();
    expect(await read(id)).toMatchObject({
      state: 'failed',
      rows: null,
      failure: expect.stringContaining('not finished within the hour'),
    });
    expect((await readEvents()).map(([name]) => name)).toEqual(['resource_export.created', 'resource_export.failed']);
  });

  test('expires after a day, and its operator may delete the file before', async () => {
    const [first, second] = [await finished({ list: 'users' }), await finished({ list: 'users' })];
    const { url } = (await askForFile(first.id)).body;
    const deleted = await askAs<Export>(await grantOfOwner(), 'POST', `${PATH}/${first.id}/delete_file`);
    expect([deleted.status, deleted.body.state]).toEqual([200, 'expired']);
    await idle();
    expect((await fetch(url)).status).toBe(404);
    const again = await askForFile(first.id);
    expect([again.status, again.body.code]).toEqual([409, 'resource_export_not_ready']);
    await advance(86_401);
    await idle();
    expect((await read(second.id)).state).toBe('expired');
    expect((await askForFile(second.id)).status).toBe(409);
  });

  test('is in the log of operators with its filter and the number of its records', async () => {
    const { id } = await finished({ list: 'users', filter: { email: 'nobody@acme.example' } });
    await download(id);
    await idle();
    const { body } = await askAs<{ data: { action: string; metadata: Record<string, string> }[] }>(
      await operatorGrant(['operators'], { environmentId: 'environment_00000000000000000000000001' }),
      'GET',
      '/x/audit_logs/events?organization_id=org_00000000000000000000000001&limit=50',
    );
    const lines = body.data.filter(({ action }) => action.startsWith('resource_exports.'));
    const logged = lines.map(({ action, metadata: { list, filter, rows } }) => [action, list, filter, rows]);
    const filter = '{"email":"nobody@acme.example"}';
    expect(logged.toSorted()).toEqual([
      ['resource_exports.create', 'users', filter, undefined],
      ['resource_exports.download', 'users', filter, '0'],
      ['resource_exports.finish', 'users', filter, '0'],
    ]);
  });
});

describe('an export is rejected', () => {
  test('for an API key, and for an operator without the permission of the list', async () => {
    const byKey = await call('POST', PATH, { list: 'users' });
    expect([byKey.status, byKey.body.code]).toEqual([403, 'operator_required']);
    const byViewer = await create({ list: 'users' }, await grantOfOwner(['config.read']));
    expect([byViewer.status, (byViewer.body as unknown as { permission: string }).permission]).toEqual([
      403,
      'people.read',
    ]);
  });

  test('with a filter that the list does not have, without one that it requires, or with a path as its value', async () => {
    for (const [body, field] of [
      [{ list: 'users', filter: { limit: '1' } }, 'filter.limit'],
      [{ list: 'users', filter: { after: 'user_01' } }, 'filter.after'],
      [{ list: 'audit_log_events' }, 'filter.organization_id'],
      [{ list: 'sessions', filter: { user_id: '../../organizations?x=' } }, 'filter.user_id'],
      [{ list: 'users', filter: { email: 'x'.repeat(65_536) } }, 'filter.email'],
      [{ list: 'passwords' }, 'list'],
    ] as const) {
      const { status, body: response } = await create(body, await operatorGrant(READS, { id: `user_of ${field}` }));
      expect([field, status, JSON.stringify(response)]).toEqual([
        field,
        expect.any(Number),
        expect.stringContaining(field),
      ]);
      expect([400, 422]).toContain(status);
    }
  });

  test('after its creation if its operator has no session: it fails and has no rows', async () => {
    const made = await create({ list: 'users' }, await operatorGrant(READS, { id: 'user_stranger' }));
    await idle();
    expect(await read(made.body.id)).toMatchObject({ state: 'failed', rows: null });
  });

  test('beyond five a day', async () => {
    const statuses: number[] = [];
    for (let at = 0; at < 6; at += 1) statuses.push((await create({ list: 'organizations' })).status);
    expect(statuses).toEqual([201, 201, 201, 201, 201, 429]);
  });
});

describe('the operations of exports', () => {
  const ABSENT = `${PATH}/resource_export_01JX0000000000000000000000`;

  test('are for no API key', async () => {
    for (const [method, path] of [
      ['GET', PATH],
      ['GET', ABSENT],
      ['POST', `${ABSENT}/download`],
      ['POST', `${ABSENT}/delete_file`],
    ] as const) {
      const { status, body } = await call(method, path);
      expect([path, status, body.code]).toEqual([path, 403, 'operator_required']);
    }
  });

  test('respond 404 to an export that does not exist, and 409 to the deletion of a file that is deleted', async () => {
    const grant = await grantOfOwner();
    const { id } = await finished({ list: 'organizations' });
    for (const [method, path] of [
      ['GET', ABSENT],
      ['POST', `${ABSENT}/download`],
      ['POST', `${ABSENT}/delete_file`],
    ] as const) {
      expect([path, (await askAs(grant, method, path)).status]).toEqual([path, 404]);
    }
    const remove = async () => (await askAs(grant, 'POST', `${PATH}/${id}/delete_file`)).status;
    expect([await remove(), await remove()]).toEqual([200, 409]);
    const { body } = await askAs<{ data: Export[] }>(grant, 'GET', PATH);
    expect(body.data.map((each) => [each.id, each.state])).toEqual([[id, 'expired']]);
  });
});

describe('the file of an export', () => {
  test('is only for the operator who made it, in its environment, while the permission lasts', async () => {
    const { id } = await finished({ list: 'users' });
    const other = await operatorGrant(READS, { id: 'user_other' });
    for (const act of ['download', 'delete_file']) {
      const { status, body } = await askAs(other, 'POST', `${PATH}/${id}/${act}`);
      expect([act, status, body.code]).toEqual([act, 403, 'resource_export_of_another_operator']);
    }
    const { clientId } = await otherEnvironment();
    const environmentId = clientId.replace('client_', 'environment_');
    const elsewhere = await operatorGrant(READS, { id: owner, environmentId });
    expect((await askForFile(id, elsewhere)).status).toBe(404);
    expect((await askForFile(id, await grantOfOwner(['config.read']))).status).toBe(403);
  });

  test('is downloaded by a signed URL, which is valid for two minutes', async () => {
    const { id } = await finished({ list: 'users' });
    const { url } = (await askForFile(id)).body;
    expect((await fetch(url)).status).toBe(200);
    const { searchParams } = new URL(url);
    expect([searchParams.get('X-Amz-Expires'), searchParams.get('X-Amz-Signature')]).toEqual([
      '120',
      expect.stringMatching(/^[0-9a-f]{64}$/),
    ]);
  });
});

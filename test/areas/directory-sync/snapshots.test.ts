import { beforeEach, describe, expect, test } from '@jest/globals';

import {
  addFault,
  advance,
  type ApiResponse,
  call,
  clearFaults,
  eventually,
  idle,
  reset,
} from '../../support/service.ts';
import { readRows } from '../../support/users.ts';
import { otherEnvironment } from '../authentication/inside.ts';
import { type DirectoryDetails, eventsNamed, newDirectory, newToken } from './directories.ts';

interface Snapshot {
  id: string;
  state: string;
  difference: Record<string, number> | null;
  applied: number;
  errors: { line: number; message: string }[];
  received_parts: number[];
}

let directory: DirectoryDetails;

beforeEach(async () => {
  await reset();
  directory = await newDirectory({ type: 'workday' }, { domain: 'acme.example' });
});

const path = (): string => `/x/directories/${directory.id}/snapshots`;
const send = (body: object): Promise<ApiResponse<Snapshot>> => call('POST', path(), { format: 'csv', ...body });
const read = async (id: string): Promise<Snapshot> => (await call<Snapshot>('GET', `${path()}/${id}`)).body;

/** Sends a snapshot, and returns its state after the worker has ended. */
async function apply(content: string, more: object = {}): Promise<Snapshot> {
  const { status, body } = await send({ content, ...more });
  expect([status, body.state]).toEqual([201, 'pending']);
  await idle();
  return read(body.id);
}

const csv = (...lines: string[]): string => ['external_id,email,first_name,last_name,department', ...lines].join('\n');
const person = (at: number): string => `e${at},user-${at}@acme.example,User,${at},Engines`;
const people = (count: number): string[] => Array.from({ length: count }, (_, at) => person(at));

interface User {
  id: string;
  idp_id: string;
  username: string;
  first_name: string;
  state: string;
  custom_attributes: Record<string, unknown>;
}

async function listUsers(): Promise<User[]> {
  await idle();
  const { body } = await call<{ data: User[] }>(
    'GET',
    `/directory_users?directory=${directory.id}&limit=100&order=asc`,
  );
  return body.data;
}

async function listStatuses(): Promise<string[]> {
  const query = `organization_id=${directory.organization_id}&statuses=active,inactive,pending&limit=100`;
  const { body } = await call<{ data: { status: string }[] }>(
    'GET',
    `/user_management/organization_memberships?${query}`,
  );
  return body.data.map(({ status }) => status).toSorted();
}

async function listLeavers(id: string, query = ''): Promise<Record<string, unknown>[]> {
  const { body } = await call<{ data: Record<string, unknown>[] }>('GET', `${path()}/${id}/leavers${query}`);
  return body.data;
}

describe('a snapshot', () => {
  test('creates users and members, changes only what differs, and makes the missing inactive', async () => {
    const first = await apply(csv(...people(10)));
    expect(first).toMatchObject({
      state: 'completed',
      applied: 10,
      errors: [],
      difference: { users: 10, created: 10, changed: 0, unchanged: 0, leavers: 0, losing_access: 0 },
    });
    expect(await listUsers()).toHaveLength(10);
    expect((await call('GET', `/directories/${directory.id}`)).body.state).toBe('linked');
    expect(await listStatuses()).toEqual(Array<string>(10).fill('active'));
    expect(await eventsNamed('dsync.activated')).toHaveLength(1);

    const [, ...others] = people(10);
    const renamed = others.map((line) => line.replace('e9,user-9@acme.example,User', 'e9,user-9@acme.example,Ada'));
    const second = await apply(csv(...renamed, '"e10",user-10@acme.example,"Grace ""G"", 🌍",Hopper,'));
    expect(second).toMatchObject({
      state: 'completed',
      difference: { users: 10, created: 1, changed: 1, unchanged: 8, leavers: 1, losing_access: 1 },
    });
    expect(await listLeavers(second.id)).toEqual([
      expect.objectContaining({ idp_id: 'e0', username: 'user-0@acme.example', name: 'User 0', loses_access: true }),
    ]);
    const users = await listUsers();
    expect(users.map(({ idp_id }) => Number(idp_id.slice(1))).toSorted((one, other) => one - other)).toEqual(
      Array.from({ length: 10 }, (_, at) => at + 1),
    );
    expect(users.find(({ idp_id }) => idp_id === 'e10')).toMatchObject({ first_name: 'Grace "G", 🌍' });
    expect(users.find(({ idp_id }) => idp_id === 'e9')).toMatchObject({
      first_name: 'Ada',
      custom_attributes: { department_name: 'Engines' },
    });
    expect(await listStatuses()).toEqual([...Array<string>(10).fill('active'), 'inactive']);
    const events = ['dsync.user.created', 'dsync.user.updated', 'dsync.user.deleted'] as const;
    const counts = await Promise.all(events.map(async (name) => (await eventsNamed(name)).length));
    expect(counts).toEqual([11, 1, 1]);

    // A repetition changes nothing; a user who is there again returns.
    expect((await apply(csv(...renamed, 'e10,user-10@acme.example,Grace,Hopper,'))).difference).toMatchObject({
      changed: 1,
      unchanged: 9,
    });
    await apply(csv(...people(11).map((line) => line.replace(',Engines', ','))));
    expect(await listStatuses()).toEqual(Array<string>(11).fill('active'));
  });

  test('of a dry run names who would lose access, and changes nothing', async () => {
    await apply(csv(...people(5)));
    const before = await eventsNamed('dsync.user.updated', 'dsync.user.deleted', 'dsync.user.created');
    const dry = await apply(csv(person(0), 'e9,nine@acme.example,Nine,,'), { dry_run: true });
    expect(dry).toMatchObject({
      state: 'completed',
      applied: 0,
      difference: { created: 1, unchanged: 1, leavers: 4, losing_access: 4 },
    });
    const firstTwo = await listLeavers(dry.id, '?limit=2');
    const others = await listLeavers(dry.id, `?after=${String(firstTwo.at(-1)?.id)}`);
    expect([...firstTwo, ...others].map(({ username }) => username).toSorted()).toEqual(
      [1, 2, 3, 4].map((at) => `user-${at}@acme.example`),
    );
    expect(await listUsers()).toHaveLength(5);
    expect(await eventsNamed('dsync.user.updated', 'dsync.user.deleted', 'dsync.user.created')).toEqual(before);
  });

  test('by which more than a fifth of the users leave is rejected unless the call allows it', async () => {
    await apply(csv(...people(10)));
    const three = csv(...people(10).slice(3));
    expect(await apply(three)).toMatchObject({ state: 'rejected', applied: 0, difference: { leavers: 3 } });
    expect(await listUsers()).toHaveLength(10);
    expect(await apply(csv(...people(10).slice(2)))).toMatchObject({ state: 'completed' });
    expect(await apply(csv(''))).toMatchObject({ state: 'rejected', difference: { users: 0, leavers: 8 } });
    expect(await apply(csv(person(2)), { max_leavers_percent: 100 })).toMatchObject({ state: 'completed' });
    expect(await listUsers()).toHaveLength(1);
  });

  test('of NDJSON has SCIM users, and a user name passes from one user to another', async () => {
    const line = (externalId: string, userName: string, more: object = {}): string =>
      JSON.stringify({ externalId, userName, displayName: `User ${externalId}`, ...more });
    const ndjson = { format: 'ndjson', max_leavers_percent: 100 };
    await apply([line('1', 'bob@acme.example'), line('2', 'eve@acme.example'), ''].join('\r\n'), ndjson);
    const swapped = await apply([line('3', 'bob@acme.example'), line('1', 'robert@acme.example')].join('\n'), ndjson);
    expect(swapped).toMatchObject({ state: 'completed', applied: 2, errors: [] });
    const users = await listUsers();
    expect(Object.fromEntries(users.map(({ idp_id, username }) => [idp_id, username]))).toEqual({
      1: 'robert@acme.example',
      3: 'bob@acme.example',
    });
    const off = await apply(
      [line('3', 'bob@acme.example', { active: 'False' }), line('1', 'robert@acme.example')].join('\n'),
      ndjson,
    );
    expect(off.difference).toMatchObject({ leavers: 1, unchanged: 1 });
    expect(await listUsers()).toHaveLength(1);
  });

  test('arrives in parts, in any order, and is applied once when all have arrived', async () => {
    const content = csv(...people(6));
    const { body: made } = await send({ parts: 3 });
    expect(made).toMatchObject({ state: 'uploading', received_parts: [] });
    const put = (part: number | string, text: string): Promise<ApiResponse<Snapshot>> =>
      call('PUT', `${path()}/${made.id}/parts/${part}`, { content: text });
    expect((await put(3, content.slice(100))).body).toMatchObject({ state: 'uploading', received_parts: [3] });
    for (const part of ['0', '4', 'x', '01', '-1']) expect((await put(part, 'x')).status).toBe(422);
    await put(1, 'replaced by the next');
    await put(1, content.slice(0, 50));
    expect((await put(2, content.slice(50, 100))).body.state).toBe('pending');
    const late = await put(2, 'x');
    expect([late.status, late.body]).toEqual([409, expect.objectContaining({ code: 'snapshot_closed' })]);
    await idle();
    expect(await read(made.id)).toMatchObject({ state: 'completed', applied: 6 });
  });

  test('continues after an interruption of the worker, without changing a user twice', async () => {
    await clearFaults();
    const { body } = await send({ content: csv(...people(120)) });
    await eventually(
      () => read(body.id),
      ({ state }) => state === 'applying',
    );
    await addFault({ target: 'table', kind: 'throttle', operations: ['TransactWriteItems'], count: 15 });
    await idle();
    expect(await read(body.id)).toMatchObject({ state: 'completed', applied: 120, errors: [] });
    expect(await eventsNamed('dsync.user.created')).toHaveLength(100);
    expect(await eventsNamed('dsync.user.updated')).toEqual([]);
    expect((await call('GET', `/directories/${directory.id}`)).body).toMatchObject({
      metadata: { users: { active: 120, inactive: 0 } },
    });
  }, 60_000);
});

describe('a snapshot is rejected', () => {
  test.each<[string, string, string, string]>([
    ['a header of empty columns only', 'csv', ',,\n,,\n', 'no line with the names of the columns'],
    ['a header of quoted empty columns', 'csv', '"",""\n', 'no line with the names of the columns'],
    ['a header of blanks', 'csv', ' , \n', 'column'],
    ['an unknown column', 'csv', 'email,no such column\nada@acme.example,x', 'column'],
    ['two columns of one attribute', 'csv', 'email,user_name,username\nx,y,z', 'same attribute'],
    ['an open quote', 'csv', 'email\n"ada@acme.example', 'quote'],
    ['more values than columns', 'csv', 'email\nada@acme.example,x', 'more values'],
    ['no user name', 'csv', 'external_id\ne1', 'userName is required'],
    ['the same user name twice', 'csv', 'user_name\nada\nADA', 'same userName'],
    [
      'the same external id twice',
      'ndjson',
      '{"userName":"a","externalId":"1"}\n{"userName":"b","externalId":"1"}',
      'same externalId',
    ],
    ['a line that is not JSON', 'ndjson', '{"userName":"a"}\n{', 'JSON'],
    ['a line that is no object', 'ndjson', '[1]', 'object'],
    ['a prototype', 'csv', 'user_name,name.__proto__\na,b', 'column'],
    ['a user above 64 KiB', 'ndjson', JSON.stringify({ userName: 'a', title: '￿'.repeat(30_000) }), 'larger'],
    ['values that are no text', 'ndjson', '{"userName":{"a":1}}', 'userName'],
  ])('with %s, and nothing is changed', async (_, format, content, message) => {
    const failed = await apply(content, { format });
    expect(failed).toMatchObject({ state: 'failed', applied: 0, difference: null });
    expect(failed.errors[0]?.message).toContain(message);
    expect(await eventsNamed('dsync.user.created')).toEqual([]);
  });

  test('with more than 50,000 users, and nothing is changed', async () => {
    const names = Array.from({ length: 50_001 }, (_, at) => `u${at}`);
    const failed = await apply(['user_name', ...names].join('\n'));
    expect(failed).toMatchObject({ state: 'failed', applied: 0, difference: null });
    expect(failed.errors).toEqual([{ line: 50_001, message: 'A snapshot has at most 50000 users.' }]);
    expect(await listUsers()).toEqual([]);
  }, 60_000);

  test('with the first twenty of its errors, each with its line', async () => {
    const failed = await apply(['user_name', ...Array.from({ length: 25 }, () => 'ada,too,many')].join('\n'));
    expect(failed.errors.map(({ line }) => line)).toEqual(Array.from({ length: 20 }, (_, at) => at + 2));
  });

  test('while another one is in progress, for a directory with SCIM tokens, and for a disabled one', async () => {
    await clearFaults();
    await addFault({ target: 'table', kind: 'delay', operations: ['TransactWriteItems'], delay_ms: 200 });
    const [one, other] = await Promise.all([send({ content: csv(person(0)) }), send({ content: csv(person(1)) })]);
    const [statuses, codes] = [[one.status, other.status].toSorted(), [one.body, other.body]];
    expect(statuses).toEqual([201, 409]);
    expect(JSON.stringify(codes)).toContain('snapshot_in_progress');
    await clearFaults();
    await idle();
    await newToken(directory.id);
    expect((await send({ content: csv(person(0)) })).body).toMatchObject({ code: 'directory_synced_by_scim' });
    directory = await newDirectory();
    await call('PATCH', `/x/directories/${directory.id}`, { state: 'unlinked' });
    expect((await send({ content: csv(person(0)) })).body).toMatchObject({ code: 'directory_unlinked' });
  });

  test('if it does not have the form that the API reference describes', async () => {
    for (const body of [
      { content: 'x', parts: 0 },
      { content: 'x', parts: 11 },
      { content: '' },
      { content: 'x', max_leavers_percent: 101 },
      { content: 'x', format: 'xml' },
    ]) {
      expect((await send(body)).status).toBe(422);
    }
  });
});

test('a snapshot is shown for seven days', async () => {
  const { id } = await apply(csv(person(0)));
  const find = async (): Promise<[number, number]> => [
    (await call('GET', `${path()}/${id}`)).status,
    (await call<{ data: unknown[] }>('GET', path())).body.data.length,
  ];
  await advance(7 * 86_400 - 60);
  expect(await find()).toEqual([200, 1]);
  await advance(120);
  expect(await find()).toEqual([404, 0]);
});

test('a deleted directory leaves no row of its snapshots', async () => {
  await apply(csv(...people(3)));
  await apply(csv(person(0)), { dry_run: true });
  await send({ parts: 2, content: csv(person(0)) });
  await call('DELETE', `/directories/${directory.id}`);
  await advance(900);
  await idle();
  const rows = await readRows(directory.organization_id);
  expect(rows.filter((kind) => /^directory/.test(kind))).toEqual([]);
});

test('a snapshot of another directory or environment is the same 404 as an unknown one', async () => {
  const { id } = await apply(csv(person(0)));
  const theirs = await newDirectory();
  const { apiKey } = await otherEnvironment();
  const cases: [string, string, object | undefined, string | undefined][] = [
    ['GET', `/x/directories/${theirs.id}/snapshots/${id}`, undefined, undefined],
    ['GET', `/x/directories/${theirs.id}/snapshots/${id}/leavers`, undefined, undefined],
    ['PUT', `/x/directories/${theirs.id}/snapshots/${id}/parts/1`, { content: 'x' }, undefined],
    ['GET', `${path()}/${id}`, undefined, apiKey],
    ['GET', `${path()}/${id}/leavers`, undefined, apiKey],
    ['PUT', `${path()}/${id}/parts/1`, { content: 'x' }, apiKey],
    ['GET', path(), undefined, apiKey],
    ['POST', path(), { format: 'csv', content: 'x' }, apiKey],
  ];
  for (const [method, url, body, key] of cases) {
    const { status } = await call(method, url, body, key === undefined ? {} : { apiKey: key });
    expect([method, url, status]).toEqual([method, url, 404]);
  }
  expect((await call<{ data: unknown[] }>('GET', path())).body.data).toHaveLength(1);
  expect((await call('GET', `${path()}?after=directory_snapshot_x`)).status).toBe(422);
});

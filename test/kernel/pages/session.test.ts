import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';

import { systemActor } from '../../../functions/kernel/authentication/caller.ts';
import { clock } from '../../../functions/kernel/clock.ts';
import type { IncomingRequest } from '../../../functions/kernel/http/incoming-request.ts';
import { type PageSession, pageSessions } from '../../../functions/kernel/pages/session.ts';
import { ownerKey } from '../../../functions/kernel/storage/record.ts';
import { Unit } from '../../../functions/kernel/storage/unit.ts';
import { startMemoryTable, type TestTable } from '../../support/table.ts';
import { readRows } from '../notes/table.ts';

interface Signed extends PageSession {
  method: string;
}

const IDLE = 600;
const sessions = pageSessions<Signed>({ kind: 'test-pages', purpose: 'session', most: 3, idleSeconds: IDLE });
let table: TestTable;
let environmentId: string;
let count = 0;

beforeAll(async () => {
  table = await startMemoryTable();
});
afterAll(() => table.stop());
beforeEach(() => {
  environmentId = `environment_01JX0000000000000000000${String((count += 1)).padStart(3, '0')}`;
});
afterEach(() => clock.reset());

const from = (cookie?: string): IncomingRequest =>
  ({ headers: {}, cookies: cookie === undefined ? [] : [cookie.split(';', 1)[0] ?? ''] }) as never;

/** Does work in a unit of work and commits it. */
async function committed<T>(work: (unit: Unit) => Promise<T> | T): Promise<T> {
  const unit = new Unit(environmentId, systemActor);
  const result = await work(unit);
  expect(await unit.commit()).toEqual({ kind: 'committed' });
  return result;
}

const open = (holderId = 'org_1', cookie?: string, seconds = 3_600): Promise<string> =>
  committed((unit) =>
    sessions.stageOpening(
      unit,
      { environmentId, holderId, owner: ownerKey('organization', holderId), seconds },
      { method: 'link' },
      from(cookie),
    ),
  );

const pass = (seconds: number): void => clock.advance(seconds * 1_000);

const found = (cookie: string) => sessions.find(environmentId, from(cookie));

test('a session is found only by its cookie and in its environment, and the table has only the hash of the cookie', async () => {
  const cookie = await open();
  expect(cookie).toContain('HttpOnly');
  expect(await found(cookie)).toMatchObject({ holderId: 'org_1', method: 'link' });
  expect(await sessions.find('environment_01JX0000000000000000000999', from(cookie))).toBeUndefined();
  expect(await found(cookie.replace(/.;/, 'x;'))).toBeUndefined();
  const secret = /\.([\w-]{43});/.exec(cookie)?.[1] ?? 'none';
  expect(JSON.stringify(await readRows('test-pages', environmentId))).not.toContain(secret);
});

test('a session ends after its lifetime, however often it is used', async () => {
  const cookie = await open('org_1', undefined, 1_000);
  pass(500);
  const session = await found(cookie);
  await committed((unit) => session && sessions.stageUse(unit, environmentId, session));
  pass(499);
  expect(await found(cookie)).toBeDefined();
  pass(1);
  expect(await found(cookie)).toBeUndefined();
});

test('a session ends after its idle time unless it is used', async () => {
  const [used, idle] = [await open(), await open()];
  pass(IDLE / 2);
  const session = await found(used);
  await committed((unit) => session && sessions.stageUse(unit, environmentId, session));
  pass(IDLE / 2);
  expect([await found(used), await found(idle)]).toEqual([expect.anything(), undefined]);
});

test('the use of a session is written at most once in a tenth of its idle time', async () => {
  const cookie = await open();
  pass(IDLE / 20);
  const unit = new Unit(environmentId, systemActor);
  const session = await found(cookie);
  if (session !== undefined) await sessions.stageUse(unit, environmentId, session);
  expect(unit.isEmpty).toBe(true);
});

test('signing out ends only the session of this browser, and ending all sessions of a user ends no other user’s', async () => {
  const [one, two, other] = [await open(), await open(), await open('org_2')];
  const session = await found(one);
  const removal = await committed((unit) => session && sessions.stageEnd(unit, environmentId, session));
  expect(removal).toContain('Max-Age=0');
  expect([await found(one), await found(two)]).toEqual([undefined, expect.anything()]);
  await committed((unit) => sessions.stageEndOfAll(unit, environmentId, 'org_1'));
  expect([await found(two), await found(other)]).toEqual([undefined, expect.anything()]);
});

test('signing in again in a browser replaces its cookie and its session', async () => {
  const former = await open();
  const next = await open('org_1', former);
  expect(next).not.toBe(former);
  expect([await found(former), await found(next)]).toEqual([undefined, expect.anything()]);
});

test('a user has a limited number of browsers: a further one replaces the oldest', async () => {
  const cookies = [await open(), await open(), await open(), await open()];
  const live = await Promise.all(cookies.map(found));
  expect(live.map((session) => session !== undefined)).toEqual([false, true, true, true]);
});

import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';

import { systemActor } from '../../../functions/kernel/authentication/caller.ts';
import { clock } from '../../../functions/kernel/clock.ts';
import { removeOwned } from '../../../functions/kernel/storage/cascade.ts';
import { ownerKey } from '../../../functions/kernel/storage/record.ts';
import { applyWork } from '../../../functions/kernel/storage/background.ts';
import { type SessionRecord, stageRevocationOfAll } from '../../../functions/tenancy/sessions/public.ts';
import { findSession, findLiveSessions } from '../../../functions/tenancy/sessions/session/find.ts';
import { sessionRows } from '../../../functions/tenancy/sessions/session/entity.ts';
import { newSessionId } from '../../../functions/tenancy/sessions/session/refresh-token.ts';
import { writeUser } from '../../support/user-rows.ts';
import { readEvents, type Inside, open, openInside, refresh, set } from './inside.ts';

let inside: Inside;
let here: string;
let users = 0;

beforeAll(async () => {
  inside = await openInside();
  here = inside.here;
});
afterEach(() => clock.reset());
afterAll(() => inside.stop());

interface List {
  data: { id: string; status: string }[];
  list_metadata: { before: string | null; after: string | null };
}

const send = (method: string, path: string, body?: object, key = inside.target.keys.here) =>
  inside.target.apiWith(key).send(method, path, body === undefined ? {} : { body: JSON.stringify(body) });
const revoke = (id: unknown, key?: string) => send('POST', '/user_management/sessions/revoke', { session_id: id }, key);
const list = async (userId: string, query = ''): Promise<List> =>
  (await send('GET', `/user_management/users/${userId}/sessions${query}`)).json as List;
const findIds = (of: List): string[] => of.data.map(({ id }) => id);

const newUser = (): Promise<string> => {
  users += 1;
  return writeUser(here, `user${users}@example.com`);
};

/** Opens sessions one after the other. */
async function openMany(userId: string, count: number): Promise<SessionRecord[]> {
  const opened: SessionRecord[] = [];
  for (let at = 0; at < count; at += 1) {
    clock.advance(1);
    opened.push((await open(here, { userId })).session);
  }
  return opened;
}

describe('the sessions of a user', () => {
  test('are listed without delay, newest first, in pages', async () => {
    const userId = await newUser();
    const ids = (await openMany(userId, 5)).map(({ id }) => id);
    const first = await list(userId, '?limit=2&order=desc');
    expect(findIds(first)).toEqual([ids[4], ids[3]]);
    const second = await list(userId, `?limit=2&order=desc&after=${first.list_metadata.after}`);
    expect(findIds(second)).toEqual([ids[2], ids[1]]);
    const third = await list(userId, `?limit=2&order=desc&after=${second.list_metadata.after}`);
    expect(findIds(third)).toEqual([ids[0]]);
    expect(third.list_metadata.after).toBeNull();
    expect(findIds(await list(userId, '?order=asc'))).toEqual(ids);
    expect(first.data[0]).toEqual({
      object: 'session',
      id: ids[4],
      ip_address: '203.0.113.7',
      user_agent: 'a browser',
      user_id: userId,
      auth_method: 'password',
      status: 'active',
      expires_at: expect.any(String),
      ended_at: null,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
  });

  test('are not listed after they have ended, or in another environment', async () => {
    const userId = await newUser();
    const [gone, kept] = await openMany(userId, 2);
    expect((await revoke(gone?.id)).status).toBe(200);
    expect(findIds(await list(userId))).toEqual([kept?.id]);
    clock.advance(31 * 86_400_000);
    expect(findIds(await list(userId))).toEqual([]);
    const path = `/user_management/users/${userId}/sessions`;
    expect((await send('GET', path, undefined, inside.target.keys.there)).status).toBe(404);
    expect((await send('GET', '/user_management/users/user_01K0G000000000000000000009/sessions')).status).toBe(404);
    expect((await send('GET', `${path}?limit=0`)).status).toBe(422);
  });

  test('are limited by the environment: a further one revokes the oldest', async () => {
    await set(here, 'sessions', { max_sessions: 3 });
    const userId = await newUser();
    const opened = await openMany(userId, 5);
    expect(findIds(await list(userId, '?order=asc'))).toEqual(opened.slice(2).map(({ id }) => id));
    const revoked = (await readEvents(here, 'session.revoked')).filter((data) => data.user_id === userId);
    expect(revoked.map(({ id }) => id).sort()).toEqual(opened.slice(0, 2).map(({ id }) => id));
    await set(here, 'sessions', {});
  });

  test('need at most as many rows as a sign-in reads in one query', async () => {
    await set(here, 'sessions', { max_sessions: 1 });
    const userId = await newUser();
    await openMany(userId, 65);
    expect((await sessionRows(here, userId)).length).toBeLessThanOrEqual(62);
    expect(await findLiveSessions(here, userId)).toHaveLength(1);
    await set(here, 'sessions', {});
  });

  test('can all be revoked in one transaction, however many there are', async () => {
    await set(here, 'sessions', { max_sessions: 20 });
    const userId = await newUser();
    const opened = await openMany(userId, 20);
    const spared = opened[7]?.id;
    await applyWork(here, systemActor, async (unit) => {
      await stageRevocationOfAll(unit, here, userId, ({ id }) => id !== spared);
    });
    expect((await findLiveSessions(here, userId)).map(({ id }) => id)).toEqual([spared]);
    await applyWork(here, systemActor, async (unit) => {
      await stageRevocationOfAll(unit, here, userId);
    });
    expect(await findLiveSessions(here, userId)).toEqual([]);
    const revoked = (await readEvents(here, 'session.revoked')).filter((data) => data.user_id === userId);
    expect(new Set(revoked.map(({ id }) => id)).size).toBe(20);
    expect(revoked).toHaveLength(20);
    await set(here, 'sessions', {});
  });

  test('are removed with their user', async () => {
    const { session } = await open(here);
    expect(await removeOwned(here, ownerKey('user', session.userId))).toBe(2);
    expect(await findSession(session.id)).toBeUndefined();
  });
});

describe('an event about a session', () => {
  test('contains the method, client and user, and no secrets', async () => {
    const impersonator = { email: 'support@example.com', reason: 'ticket 7' };
    const { session, refreshToken } = await open(here, {
      authMethod: 'impersonation',
      organizationId: 'org_01K0G000000000000000000000',
      impersonator,
      ipAddress: null,
      userAgent: 'x'.repeat(2_000),
    });
    const [event] = (await readEvents(here, 'session.created')).filter(({ id }) => id === session.id);
    expect(event).toMatchObject({
      auth_method: 'impersonation',
      impersonator,
      organization_id: session.organizationId,
      ip_address: null,
      user_agent: 'x'.repeat(512),
      status: 'active',
    });
    expect(JSON.stringify(event)).not.toContain(refreshToken.slice(78));
    expect(JSON.stringify(session)).not.toContain(refreshToken.slice(78, 100));
  });
});

test('a session id cannot be guessed from other ids, since it is sufficient for a logout', () => {
  const ids = Array.from({ length: 50 }, newSessionId);
  // The random part of an id follows the time, without the last characters, and consecutive ids of the kernel would share it.
  expect(new Set(ids.map((id) => id.slice('session_'.length + 10, -8))).size).toBe(50);
});

describe('a revocation', () => {
  test('invalidates the refresh token at once and emits one event', async () => {
    const { session, refreshToken } = await open(here);
    const responses = await Promise.all(Array.from({ length: 10 }, () => revoke(session.id)));
    expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
    expect(responses[0]?.text).toBe('');
    expect(await refresh(here, refreshToken)).toBe('revoked');
    expect((await readEvents(here, 'session.revoked')).filter(({ id }) => id === session.id)).toHaveLength(1);
  });

  test('of an unknown session and of one in another environment is rejected with the same error', async () => {
    const { session } = await open(inside.there);
    const responses = [
      await revoke(session.id),
      await revoke('session_01K0G000000000000000000009'),
      await revoke('nonsense'),
      await revoke('session_#'),
    ];
    expect(new Set(responses.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(responses[0]).toMatchObject({ status: 400, json: { code: 'session_not_found' } });
    expect((await findSession(session.id))?.endedAt).toBeUndefined();
    expect((await revoke(7)).status).toBe(400);
  });
});

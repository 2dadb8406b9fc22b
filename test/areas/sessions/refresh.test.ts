import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';

import { systemActor } from '../../../functions/kernel/authentication/caller.ts';
import { clock } from '../../../functions/kernel/clock.ts';
import { Unit } from '../../../functions/kernel/storage/unit.ts';
import { refreshSession } from '../../../functions/tenancy/sessions/public.ts';
import { findSession } from '../../../functions/tenancy/sessions/session/find.ts';
import type { Refreshed } from '../../../functions/tenancy/sessions/session/refresh.ts';
import { rowsIn } from '../../kernel/notes/table.ts';
import { readEvents, type Inside, open, openInside, refresh, set } from './inside.ts';

let inside: Inside;
let here: string;

beforeAll(async () => {
  inside = await openInside();
  here = inside.here;
});
afterEach(() => clock.reset());
afterAll(() => inside.stop());

const refreshed = async (...given: Parameters<typeof refresh>): Promise<Refreshed<string>> => {
  const result = await refresh(...given);
  if (typeof result === 'string') throw new Error(`refused: ${result}`);
  return result;
};
const findRevoked = async (id: string) => (await readEvents(here, 'session.revoked')).filter((data) => data.id === id);

describe('a refresh of a session', () => {
  test('returns a new token for the same session without an event', async () => {
    const { session, refreshToken } = await open(here);
    const before = (await rowsIn(here)).length;
    const next = await refreshed(here, refreshToken);
    expect(next.refreshToken).not.toBe(refreshToken);
    expect(next.session.id).toBe(session.id);
    expect(await rowsIn(here)).toHaveLength(before);
    expect((await refreshed(here, next.refreshToken)).session.id).toBe(session.id);
  });

  test('that is requested fifty times in parallel with one token returns the same successor each time', async () => {
    const { session, refreshToken } = await open(here);
    const results = await Promise.all(Array.from({ length: 50 }, () => refreshed(here, refreshToken)));
    expect(new Set(results.map((result) => result.refreshToken)).size).toBe(1);
    const [{ refreshToken: successor } = { refreshToken: '' }] = results;
    expect((await refreshed(here, successor)).session.id).toBe(session.id);
  });

  test('switches the organization and keeps the session', async () => {
    const { session, refreshToken } = await open(here);
    const first = await refreshed(here, refreshToken, { organizationId: 'org_A' });
    expect(first.session).toMatchObject({ id: session.id, organizationId: 'org_A' });
    const second = await refreshed(here, first.refreshToken);
    expect(second).toMatchObject({ subject: 'org_A', session: { organizationId: 'org_A' } });
    // A concurrent call with the replaced token may also switch, and the successor stays the same.
    const rival = await refreshed(here, first.refreshToken, { organizationId: 'org_B' });
    expect(rival.refreshToken).toBe(second.refreshToken);
    expect((await findSession(session.id))?.organizationId).toBe('org_B');
  });
});

describe('a replaced refresh token', () => {
  test('returns its successor for two minutes while the successor is unused', async () => {
    const { refreshToken } = await open(here);
    const { refreshToken: successor } = await refreshed(here, refreshToken);
    clock.advance(100_000);
    expect((await refreshed(here, refreshToken)).refreshToken).toBe(successor);
  });

  test('returns its successor for thirty seconds after the successor was used', async () => {
    const { refreshToken } = await open(here);
    const { refreshToken: successor } = await refreshed(here, refreshToken);
    await refreshed(here, successor);
    clock.advance(20_000);
    expect((await refreshed(here, refreshToken)).refreshToken).toBe(successor);
    clock.advance(11_000);
    expect(await refresh(here, refreshToken)).toBe('reused');
  });

  test.each([
    { ipAddress: '198.51.100.9', userAgent: 'a browser' },
    { ipAddress: '2001:db8::1', userAgent: 'another browser' },
  ])(
    'returns its successor to another client for only thirty seconds while the successor is unused, %j',
    async (thief) => {
      const owner = { client: 'public', ipAddress: '2001:db8::1', userAgent: 'a browser' } as const;
      const { refreshToken } = await open(here, { client: 'public' });
      const { refreshToken: successor } = await refreshed(here, refreshToken, owner);
      const other = { client: 'public', ...thief } as const;
      clock.advance(20_000);
      expect((await refreshed(here, refreshToken, other)).refreshToken).toBe(successor);
      clock.advance(11_000);
      // Another address in the same /64 is in the same network.
      const neighbour = { ...owner, ipAddress: '2001:db8::2' };
      expect((await refreshed(here, refreshToken, neighbour)).refreshToken).toBe(successor);
      expect(await refresh(here, refreshToken, other)).toBe('reused');
    },
  );

  test('returns its successor to another client for only ten seconds after the successor was used', async () => {
    const owner = { client: 'public', ipAddress: '203.0.113.7', userAgent: 'a browser' } as const;
    const { refreshToken } = await open(here, { client: 'public' });
    const { refreshToken: successor } = await refreshed(here, refreshToken, owner);
    await refreshed(here, successor, owner);
    clock.advance(11_000);
    expect((await refreshed(here, refreshToken, owner)).refreshToken).toBe(successor);
    expect(await refresh(here, refreshToken, { ...owner, ipAddress: '198.51.100.9' })).toBe('reused');
  });

  test('revokes the session with all its tokens when it is used later', async () => {
    const { session, refreshToken } = await open(here);
    const { refreshToken: successor } = await refreshed(here, refreshToken);
    clock.advance(121_000);
    expect(await refresh(here, refreshToken)).toBe('reused');
    expect(await refresh(here, successor)).toBe('revoked');
    expect(await refresh(here, refreshToken)).toBe('revoked');
    expect(await findRevoked(session.id)).toEqual([expect.objectContaining({ status: 'revoked', object: 'session' })]);
  });

  test('has a successor that cannot be derived from a copy of the table', async () => {
    const { refreshToken } = await open(here);
    const { session, refreshToken: successor } = await refreshed(here, refreshToken);
    const row = JSON.stringify(session, (_, value: unknown) =>
      value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value,
    );
    for (const token of [refreshToken, successor]) {
      expect(row).not.toContain(token.slice(-43));
      expect(row).not.toContain(token.slice(78, 100));
    }
  });
});

describe('a refresh', () => {
  test('rejects a forged token, and does not revoke the session', async () => {
    const { session, refreshToken } = await open(here);
    const other = await open(here);
    const forgeries = [
      '',
      'x'.repeat(143),
      refreshToken.slice(0, 78) + 'A'.repeat(65),
      refreshToken.slice(0, 78) + other.refreshToken.slice(78),
      refreshToken.slice(0, 78).toLowerCase() + refreshToken.slice(78),
      `${refreshToken}A`,
    ];
    for (const forged of forgeries) expect(await refresh(here, forged)).toBe('unknown');
    expect(await refresh(inside.there, refreshToken)).toBe('unknown');
    expect((await refreshed(here, refreshToken)).session.id).toBe(session.id);
  });

  test('uses the organization in the session’s row, whatever hint the token contains', async () => {
    const { refreshToken } = await open(here, { organizationId: 'org_01K0G000000000000000000000' });
    const changed = `${refreshToken.slice(0, 52)}01K0G000000000000000000001${refreshToken.slice(78)}`;
    const { session, refreshToken: successor } = await refreshed(here, changed);
    expect(session.organizationId).toBe('org_01K0G000000000000000000000');
    expect((await refreshed(here, refreshToken)).refreshToken).toBe(successor);
  });

  test('rejects a token that another kind of client sends', async () => {
    const confidential = await open(here);
    const open_ = await open(here, { client: 'public' });
    expect(await refresh(here, confidential.refreshToken, { client: 'public' })).toBe('client_mismatch');
    expect(await refresh(here, open_.refreshToken)).toBe('client_mismatch');
    expect((await refreshed(here, open_.refreshToken, { client: 'public' })).session.id).toBe(open_.session.id);
  });

  test('rejects a user that the `recheck` function rejects, and the token stays valid', async () => {
    const { session, refreshToken } = await open(here);
    const client = { client: 'confidential', ipAddress: null, userAgent: null } as const;
    const unit = new Unit(here, systemActor);
    const rejected = refreshSession(unit, { environmentId: here, refreshToken, ...client }, async () => {
      throw new Error('a member no more');
    });
    await expect(rejected).rejects.toThrow('a member no more');
    // Some rejections keep their writes, which are then committed although the request is rejected.
    await unit.commit();
    expect((await findSession(session.id))?.version).toBe(session.version);
    expect((await refreshed(here, refreshToken)).session.id).toBe(session.id);
  });

  test('rejects a session beyond its lifetime, its inactivity limit, or a limit that was shortened since', async () => {
    await set(here, 'sessions', { max_lifetime_seconds: 7_200, inactivity_seconds: 3_600 });
    const idle = await open(here);
    clock.advance(3_500_000);
    const { refreshToken: once } = await refreshed(here, idle.refreshToken);
    clock.advance(3_000_000);
    const { refreshToken: twice, session } = await refreshed(here, once);
    expect(session.endsAt).toBe(session.lifetimeEndsAt);
    clock.advance(701_000);
    expect(await refresh(here, twice)).toBe('expired');
    const unused = await open(here);
    clock.advance(3_600_000);
    expect(await refresh(here, unused.refreshToken)).toBe('expired');
    const shortened = await open(here);
    await set(here, 'sessions', { inactivity_seconds: 300 });
    clock.advance(301_000);
    expect(await refresh(here, shortened.refreshToken)).toBe('expired');
    await set(here, 'sessions', {});
    const bounded = await open(here);
    await set(here, 'sessions', { max_lifetime_seconds: 300 });
    clock.advance(301_000);
    expect(await refresh(here, bounded.refreshToken)).toBe('expired');
    await set(here, 'sessions', {});
  });
});

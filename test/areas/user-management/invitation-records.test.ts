import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';

import { findInvitationByToken } from '../../../functions/tenancy/modules/invitations/public.ts';
import { rowsIn } from '../../kernel/notes/table.ts';
import { receiver } from '../../support/receiver.ts';
import { addFault, call, clearFaults, eventually, idle, reset } from '../../support/service.ts';
import { addMembership, addUser, readRows } from '../../support/users.ts';
import { type Inside, openInside } from '../sessions/inside.ts';
import { subscribe } from '../webhooks/steps.ts';
import { act, type Invitation, INVITATIONS, invited, listed, organization, read } from './organizations.ts';

const email = 'grace@example.com';

beforeEach(() => reset());

describe('the list of invitations', () => {
  test('contains each invitation once, in pages, by organization, by address, and by both', async () => {
    const [one, two] = [await organization('One'), await organization('Two')];
    const made: Record<string, string[]> = { one: [], two: [], none: [] };
    for (let at = 0; at < 7; at += 1) {
      made.one?.push((await invited({ email: `p${at}@example.com`, organization_id: one })).id);
      if (at < 3) made.two?.push((await invited({ email: `p${at}@example.com`, organization_id: two })).id);
      if (at < 2) made.none?.push((await invited({ email: `p${at}@example.com` })).id);
    }
    await idle();
    const walk = async (query: string): Promise<string[]> => {
      const ids: string[] = [];
      for (let after: string | null = ''; after !== null;) {
        const page = await listed(`?limit=2&order=asc${query}${after === '' ? '' : `&after=${after}`}`);
        ids.push(...page.data.map(({ id }) => id));
        after = page.list_metadata.after;
      }
      return ids;
    };
    expect(await walk('')).toHaveLength(12);
    expect(await walk(`&organization_id=${one}`)).toEqual(made.one);
    expect(await walk('&email=p1@example.com')).toEqual([made.one?.[1], made.two?.[1], made.none?.[1]]);
    expect(await walk(`&email=p1@example.com&organization_id=${two}`)).toEqual([made.two?.[1]]);
    expect(await walk('&email=nobody@example.com')).toEqual([]);
    expect(await walk(`&organization_id=${two}&email=p6@example.com`)).toEqual([]);
    expect((await call('GET', `${INVITATIONS}?email=nonsense`)).status).toBe(422);
  });
});

describe('deleting a user', () => {
  test('revokes and removes the older invitations to the address, and keeps those to other addresses', async () => {
    const organization_id = await organization();
    const { body: user } = await call<{ id: string }>('POST', '/user_management/users', { email });
    const first = await invited({ email, organization_id: await organization('Accepted') });
    await act(first.id, 'accept');
    const revoked = await invited({ email, organization_id: await organization('Revoked') });
    await act(revoked.id, 'revoke');
    const pending = await invited({ email, organization_id });
    const kept = await invited({ email: 'ada@example.com', organization_id });
    await idle();
    expect((await call('DELETE', `/user_management/users/${user.id}`)).status).toBe(200);
    await idle();
    for (const { id } of [first, revoked, pending]) expect((await read(id)).status).toBe(404);
    expect((await listed(`?email=${email}`)).data).toEqual([]);
    expect((await call<{ data: unknown[] }>('GET', `/x/search?q=${email}`)).body.data).toEqual([]);
    expect((await call('GET', `${INVITATIONS}/by_token/${pending.token}`)).status).toBe(404);
    expect((await act(pending.id, 'accept')).status).toBe(404);
    expect((await readRows(pending.id)).filter((kind) => /^(invitation|unique|message)/.test(kind))).toEqual([]);
    expect((await read(kept.id)).status).toBe(200);
    const events = await call<{ data: { data: object }[] }>('GET', '/events?events=invitation.revoked&limit=100');
    expect(events.body.data.map(({ data }) => data)).toMatchObject([
      { id: revoked.id },
      { id: pending.id, state: 'revoked', email },
    ]);
    const again = await invited({ email, organization_id });
    await idle();
    expect((await read(again.id)).status).toBe(200);
  });
});

describe('deleting an organization', () => {
  test('removes its invitations, so that their tokens are invalid', async () => {
    const organization_id = await organization();
    const { id, token } = await invited({ email, organization_id });
    const kept = await invited({ email });
    await addUser(email);
    // The invitations that the index shows are removed at once; the second sweep removes the others.
    await idle();
    await call('DELETE', `/organizations/${organization_id}`);
    await idle();
    expect((await read(id)).status).toBe(404);
    expect((await call('GET', `${INVITATIONS}/by_token/${token}`)).status).toBe(404);
    expect((await read(kept.id)).status).toBe(200);
  });
});

describe('a deleted organization', () => {
  test('cannot be joined by an invitation', async () => {
    const organization_id = await organization();
    await addUser(email);
    // The invitation itself is removed in the background, which finds it late.
    await clearFaults();
    await addFault({ target: 'table', kind: 'stale_lists', delay_ms: 1_500 });
    const { id } = await invited({ email, organization_id });
    await call('DELETE', `/organizations/${organization_id}`);
    expect([400, 404]).toContain((await act(id, 'accept')).status);
  });
});

describe('the events of an invitation', () => {
  test('are delivered for every step, and contain no token', async () => {
    const hook = await receiver();
    await subscribe(hook.url, [
      'invitation.created',
      'invitation.resent',
      'invitation.accepted',
      'invitation.revoked',
      'organization_membership.created',
      'organization_membership.updated',
    ]);
    const organization_id = await organization();
    const userId = await addUser(email);
    const { id, token } = await invited({ email, organization_id });
    await act(id, 'resend');
    await act(id, 'accept');
    const waiting = await addUser('waiting@example.com');
    await addMembership(waiting, organization_id, 'pending');
    const second = await invited({ email: 'waiting@example.com', organization_id });
    await act(second.id, 'accept');
    const third = await invited({ email: 'third@example.com' });
    await act(third.id, 'revoke');
    const bodies = await eventually(
      () => hook.requests.map(({ body }) => JSON.parse(body) as { event: string; data: Invitation }),
      (found) => new Set(found.map(({ event }) => event)).size === 6,
    );
    expect(bodies.find(({ event }) => event === 'invitation.accepted')?.data).toMatchObject({
      object: 'invitation',
      state: 'accepted',
      accepted_user_id: userId,
    });
    expect(JSON.stringify(bodies)).not.toContain(token);
    expect(JSON.stringify(bodies)).not.toContain('accept_invitation_url');
    await idle();
    const { body } = await call('GET', '/events?events=invitation.created,invitation.accepted');
    expect(JSON.stringify(body)).not.toContain(token);
  });
});

describe('the token of an invitation', () => {
  let inside: Inside;
  beforeAll(async () => {
    inside = await openInside();
  });
  afterAll(() => inside.stop());

  test('is stored hashed and encrypted, never in plain text', async () => {
    const made = await inside.target.apiWith(inside.target.keys.here).create(INVITATIONS, { email });
    const rows = JSON.stringify(await rowsIn(inside.here), (_, value: unknown) =>
      value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value,
    );
    expect(rows).toContain(made.id);
    expect(rows).not.toContain(made.token);
  });

  test('is invalid in another environment', async () => {
    const made = await inside.target.apiWith(inside.target.keys.there).create(INVITATIONS, { email });
    const token = made.token as string;
    expect((await findInvitationByToken(inside.there, token))?.id).toBe(made.id);
    expect(await findInvitationByToken(inside.here, token)).toBeUndefined();
    const foreign = await inside.target
      .apiWith(inside.target.keys.here)
      .send('GET', `${INVITATIONS}/by_token/${token}`);
    expect(foreign.status).toBe(404);
  });
});

import { beforeEach, describe, expect, test } from '@jest/globals';

import { newOrganization } from '../../support/organizations.ts';
import { advance, call, idle, reset, sdk } from '../../support/service.ts';
import { readRows } from '../../support/users.ts';
import {
  agentEvents,
  autonomous,
  delegate,
  givePermissions,
  moveAway,
  newBlueprint,
  newMember,
  pass,
  refresh,
  readState,
  validate,
} from './support.ts';

interface Session {
  id: string;
  status: string;
  revoked_at: string | null;
  expires_at: string;
  updated_at: string;
}

const session = async (id: string) => (await call<Session>('GET', `/agents/sessions/${id}`)).body;
const revoke = (id: string) => call<Session>('POST', `/agents/sessions/${id}/revoke`);

beforeEach(() => reset());

/** An agent of a member, and another agent to which it delegates. */
async function chain() {
  await givePermissions('posts:read');
  const member = await newMember();
  const [top, below] = [await newBlueprint(), await newBlueprint()];
  const parent = (await delegate(top, member)).body;
  const child = (await pass(below, parent.access_token)).body;
  // Lists are current, because a worker lists the rows of a deleted organization by an index.
  await idle();
  return { member, top, below, parent, child };
}

type Chain = Awaited<ReturnType<typeof chain>>;

/**
 * The changes that end delegated sessions, the resulting state of the tokens of both agents, and the codes that a refresh of the second one may
 * have, if they are others.
 */
const ENDS: readonly [string, (held: Chain) => Promise<unknown>, string, string, string?][] = [
  [
    'revoking the session above',
    ({ parent }) => revoke(parent.agent_instance_session_id),
    'session_revoked',
    'session_revoked',
  ],
  ['revoking the own session', ({ child }) => revoke(child.agent_instance_session_id), 'valid', 'session_revoked'],
  [
    'deleting the instance above',
    ({ parent }) => call('DELETE', `/agents/instances/${parent.agent_instance_id}`),
    'session_revoked',
    'session_revoked',
  ],
  ['deleting the blueprint above', ({ top }) => call('DELETE', `/agents/blueprints/${top}`), '404', 'session_revoked'],
  ['deleting the own blueprint', ({ below }) => call('DELETE', `/agents/blueprints/${below}`), 'valid', '404'],
  [
    'ending the user’s session',
    ({ member }) => call('POST', '/user_management/sessions/revoke', { session_id: member.sessionId }),
    'user_session_ended',
    'user_session_ended',
  ],
  [
    'deactivating the membership',
    async ({ member }) => call('PUT', `/user_management/organization_memberships/${member.membershipId}/deactivate`),
    'user_session_ended',
    'user_session_ended',
  ],
  [
    'deactivating a membership while the user is signed in to another organization',
    async ({ member }) => {
      await moveAway(member);
      return call('PUT', `/user_management/organization_memberships/${member.membershipId}/deactivate`);
    },
    'session_revoked',
    'session_revoked',
    'user_not_member_of_organization',
  ],
  [
    'deleting a membership while the user is signed in to another organization',
    async ({ member }) => {
      await moveAway(member);
      return call('DELETE', `/user_management/organization_memberships/${member.membershipId}`);
    },
    'session_revoked',
    'session_revoked',
    'user_not_member_of_organization',
  ],
  [
    'deleting the user',
    ({ member }) => call('DELETE', `/user_management/users/${member.userId}`),
    'user_session_ended',
    'user_session_ended',
  ],
  [
    // A worker removes the refresh token soon after the response, and with it what the first code is read from.
    'deleting the organization',
    ({ member }) => call('DELETE', `/organizations/${member.organizationId}`),
    'session_revoked',
    'session_revoked',
    'user_not_member_of_organization, invalid_refresh_token',
  ],
];

const readStates = async ({ top, below, parent, child }: Chain) => [
  await readState(top, parent.access_token),
  await readState(below, child.access_token),
];

describe('an agent token', () => {
  test.each(ENDS)(
    'is invalid, and cannot be refreshed, from the response to %s on',
    async (_, end, above, own, refreshed = own) => {
      const held = await chain();
      expect(await readStates(held)).toEqual(['valid', 'valid']);
      expect(((await end(held)) as { status: number }).status).toBeLessThan(300);
      const name = (state: string) => (state === '404' ? 'not_found' : state);
      expect(await readStates(held)).toEqual([name(above), name(own)]);
      const { code } = (await refresh(held.below, held.child.refresh_token)).body;
      expect(name(refreshed).split(', ')).toContain(code);
      if (above !== 'valid')
        expect((await refresh(held.top, held.parent.refresh_token)).status).toBeGreaterThanOrEqual(400);
      await idle();
      const state = await call<Session>('GET', `/agents/sessions/${held.child.agent_instance_session_id}`);
      expect(state.status === 404 || state.body.status === 'revoked').toBe(true);
    },
  );

  test('stays invalid after its member was deactivated and activated again', async () => {
    const { member, top, parent } = await chain();
    const path = `/user_management/organization_memberships/${member.membershipId}`;
    await moveAway(member);
    await call('PUT', `${path}/deactivate`);
    expect((await refresh(top, parent.refresh_token)).body.code).toBe('user_not_member_of_organization');
    await idle();
    await call('PUT', `${path}/reactivate`);
    expect(await readState(top, parent.access_token)).toBe('session_revoked');
    const again = (await delegate(top, member)).body;
    await advance(601);
    await idle();
    expect((await session(again.agent_instance_session_id)).revoked_at).toBeNull();
  });

  test('loses a permission at the next validation after its blueprint, its delegating agent or its member lost it', async () => {
    await givePermissions('posts:read', 'posts:write', 'posts:delete');
    const member = await newMember();
    const [top, below] = [await newBlueprint(), await newBlueprint()];
    const parent = (await delegate(top, member)).body;
    const child = (await pass(below, parent.access_token)).body;
    const left = async () => (await validate(below, child.access_token)).body.permissions;
    await call('PATCH', `/agents/blueprints/${top}`, { permissions: ['posts:read', 'posts:write'] });
    expect(await left()).toEqual(['posts:read', 'posts:write']);
    await call('PATCH', `/agents/blueprints/${below}`, { permissions: ['posts:write', 'posts:delete'] });
    expect(await left()).toEqual(['posts:write']);
    await call('DELETE', '/authorization/permissions/posts:write');
    await call('POST', '/authorization/permissions', { slug: 'posts:write', name: 'Another' });
    expect(await left()).toEqual([]);
  });
});

describe('an agent session', () => {
  test('keeps the time of its first revocation, and the sessions that it delegated are revoked with their events', async () => {
    const { parent, child } = await chain();
    const { agents } = sdk();
    const first = await agents.revokeInstanceSession(parent.agent_instance_session_id);
    expect(first.status).toBe('revoked');
    expect(await agents.revokeInstanceSession(parent.agent_instance_session_id)).toEqual(first);
    await idle();
    expect((await session(child.agent_instance_session_id)).status).toBe('revoked');
    const revoked = await agentEvents('instance.session.revoked');
    expect(revoked.map(({ data }) => data.id)).toEqual([
      parent.agent_instance_session_id,
      child.agent_instance_session_id,
    ]);
    expect(revoked[0]?.data).toMatchObject({ object: 'agent_instance_session', revoked_at: first.revokedAt });
    expect((await revoke('agent_session_01K0G000000000000000000009')).status).toBe(404);
  });

  test('that has expired stays expired when it is revoked', async () => {
    const organizationId = await newOrganization();
    const id = await newBlueprint({ session_settings: { refresh_token_ttl_seconds: 60 } });
    const minted = (await autonomous(id, organizationId)).body;
    await advance(61);
    const { status, body } = await revoke(minted.agent_instance_session_id);
    expect([status, body.status, body.revoked_at]).toEqual([200, 'expired', null]);
    expect((await refresh(id, minted.refresh_token)).body.code).toBe('session_expired');
  });

  test('is listed by its organization, blueprint and instance, in pages', async () => {
    const organizationId = await newOrganization();
    const id = await newBlueprint();
    const minted = [];
    for (let at = 0; at < 3; at += 1) minted.push((await autonomous(id, organizationId)).body);
    const other = (await autonomous(id, await newOrganization())).body;
    await idle();
    const ids = minted.map((one) => one.agent_instance_session_id).toReversed();
    const { agents } = sdk();
    const list = async (filter: object) => (await agents.listInstanceSessions(filter)).data.map((one) => one.id);
    const instance = { agentInstanceId: String(minted[0]?.agent_instance_id) };
    expect(await list(instance)).toEqual(ids);
    // The SDK cannot filter by organization yet.
    const ofOrganization = await call<{ data: Session[] }>('GET', `/agents/sessions?organization_id=${organizationId}`);
    expect(ofOrganization.body.data.map((one) => one.id)).toEqual(ids);
    expect(await list({ agentBlueprintId: id })).toEqual([other.agent_instance_session_id, ...ids]);
    expect(await list({})).toEqual([other.agent_instance_session_id, ...ids]);
    const none = await call<{ data: Session[] }>(
      'GET',
      `/agents/sessions?agent_instance_id=${instance.agentInstanceId}&organization_id=org_none`,
    );
    expect(none.body.data).toEqual([]);
    const page = await call<{ data: Session[]; list_metadata: { before: string } }>(
      'GET',
      `/agents/sessions?agent_blueprint_id=${id}&organization_id=${organizationId}&limit=2`,
    );
    const next = await call<{ data: Session[] }>(
      'GET',
      `/agents/sessions?agent_blueprint_id=${id}&organization_id=${organizationId}&before=${page.body.list_metadata.before}`,
    );
    expect([...page.body.data, ...next.body.data].map((one) => one.id)).toEqual(ids);
    expect((await call('GET', '/agents/sessions?limit=0')).status).toBe(422);
  });

  test('has no row after its organization was deleted', async () => {
    const { member } = await chain();
    await call('DELETE', `/organizations/${member.organizationId}`);
    await idle();
    const rows = (await readRows(member.organizationId)).filter((kind) => kind.startsWith('agent'));
    expect(rows).toEqual([]);
    expect((await agentEvents('instance.deleted')).length).toBe(2);
    expect((await agentEvents('instance.session.revoked')).length).toBe(2);
  });
});

describe('the deletion of a blueprint', () => {
  test('removes its instances and sessions, each with its event', async () => {
    const organizationId = await newOrganization();
    const id = await newBlueprint();
    const minted = (await autonomous(id, organizationId)).body;
    await autonomous(id, organizationId);
    await call('DELETE', `/agents/blueprints/${id}`);
    expect((await call('GET', `/agents/instances/${minted.agent_instance_id}`)).status).toBe(404);
    expect((await call('GET', `/agents/sessions/${minted.agent_instance_session_id}`)).status).toBe(404);
    await idle();
    expect((await readRows(minted.agent_instance_id)).filter((kind) => kind.startsWith('agent-inst'))).toEqual([]);
    expect((await agentEvents('instance.session.revoked')).length).toBe(2);
    expect((await agentEvents('instance.deleted')).map(({ data }) => data.id)).toEqual([minted.agent_instance_id]);
  });
});

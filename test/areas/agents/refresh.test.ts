import { beforeEach, describe, expect, test } from '@jest/globals';

import { forgetEnvironments } from '../../../functions/kernel/authentication/environment.ts';
import { blueprints } from '../../../functions/oauth/agents/blueprint/entity.ts';
import { newOrganization } from '../../support/organizations.ts';
import { advance, call, idle, reset } from '../../support/service.ts';
import { environment } from '../../support/users.ts';
import { commitRows } from '../../support/user-rows.ts';
import {
  agentEvents,
  autonomous,
  delegate,
  givePermissions,
  moveAway,
  newBlueprint,
  newMember,
  pass,
  readClaims,
  readState,
  refresh,
  setMemberPermissions,
} from './support.ts';

beforeEach(() => reset());

const readEnd = async (id: string): Promise<number> =>
  Date.parse((await call<{ expires_at: string }>('GET', `/agents/sessions/${id}`)).body.expires_at);

describe("a refresh of an agent's session", () => {
  test('checks all conditions again by the current blueprint and member, and keeps the intent', async () => {
    await givePermissions('posts:read');
    const member = await newMember();
    const id = await newBlueprint({ permissions: ['posts:read'] });
    const first = (await delegate(id, member, { intent: 'Read' })).body;
    await call('PATCH', `/agents/blueprints/${id}`, {
      permissions: ['posts:write'],
      session_settings: { access_token_ttl_seconds: 60 },
    });
    await setMemberPermissions('posts:read', 'posts:write');
    const second = (await refresh(id, first.refresh_token)).body;
    expect(second).toMatchObject({
      agent_instance_session_id: first.agent_instance_session_id,
      agent_instance_id: first.agent_instance_id,
      new_instance: false,
      permissions: ['posts:write'],
      expires_in: 60,
    });
    expect(readClaims(second.access_token).intent).toEqual({ text: 'Read' });
    const third = (await refresh(id, second.refresh_token, { intent: 'Write' })).body;
    expect(readClaims(third.access_token).intent).toEqual({ text: 'Write' });
    await call('PATCH', `/agents/blueprints/${id}`, { invocable_by: { organization_ids: [await newOrganization()] } });
    expect((await refresh(id, third.refresh_token)).body.code).toBe('organization_not_invocable');
    await call('POST', '/authorization/roles', { slug: 'boss', name: 'Boss' });
    await call('PATCH', `/agents/blueprints/${id}`, { invocable_by: { organization_ids: [], role_slugs: ['boss'] } });
    expect((await refresh(id, third.refresh_token)).body.code).toBe('role_not_invocable');
  });

  test('extends the session up to its maximum age, and no token outlives its session', async () => {
    const id = await newBlueprint({
      session_settings: { max_age_seconds: 300, access_token_ttl_seconds: 120, refresh_token_ttl_seconds: 200 },
    });
    const first = (await autonomous(id, await newOrganization())).body;
    const startedAt = (await readEnd(first.agent_instance_session_id)) - 200_000;
    await advance(190);
    const second = (await refresh(id, first.refresh_token)).body;
    expect(await readEnd(first.agent_instance_session_id)).toBe(startedAt + 300_000);
    expect(second.expires_in).toBeLessThanOrEqual(110);
    expect(second.expires_in).toBeGreaterThan(90);
    await advance(111);
    expect((await refresh(id, second.refresh_token)).body.code).toBe('max_age_exceeded');
  });

  test('applies a maximum age that was reduced after the session began', async () => {
    const id = await newBlueprint({ session_settings: { max_age_seconds: 3_600 } });
    const first = (await autonomous(id, await newOrganization())).body;
    await advance(100);
    await call('PATCH', `/agents/blueprints/${id}`, {
      session_settings: { max_age_seconds: 90, access_token_ttl_seconds: 60 },
    });
    expect((await refresh(id, first.refresh_token)).body.code).toBe('max_age_exceeded');
  });

  test('returns one successor to 50 parallel calls, and the same one if the response was lost', async () => {
    const id = await newBlueprint();
    const first = (await autonomous(id, await newOrganization())).body;
    const all = await Promise.all(Array.from({ length: 50 }, () => refresh(id, first.refresh_token)));
    expect(all.map(({ status }) => status)).toEqual(all.map(() => 200));
    const successors = new Set(all.map(({ body }) => body.refresh_token));
    expect(successors.size).toBe(1);
    expect((await refresh(id, first.refresh_token)).body.refresh_token).toBe([...successors][0]);
  });

  test('with a token that was replaced long ago revokes the session, with its event', async () => {
    const id = await newBlueprint();
    const first = (await autonomous(id, await newOrganization())).body;
    const second = (await refresh(id, first.refresh_token)).body;
    await advance(121);
    expect((await refresh(id, first.refresh_token)).body.code).toBe('invalid_refresh_token');
    expect(await readState(id, second.access_token)).toBe('session_revoked');
    expect((await refresh(id, second.refresh_token)).body.code).toBe('session_revoked');
    await idle();
    expect((await agentEvents('instance.session.revoked')).map(({ data }) => data.id)).toEqual([
      first.agent_instance_session_id,
    ]);
  });

  test('with a forged token or one of another blueprint is rejected, and revokes nothing', async () => {
    const [id, other] = [await newBlueprint(), await newBlueprint()];
    const minted = (await autonomous(id, await newOrganization())).body;
    const { refresh_token: token } = minted;
    const forged = [
      `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`,
      `${token.slice(0, -50)}${'A'.repeat(50)}`,
      `${token.slice(0, -65)}${'A'.repeat(22)}${token.slice(-43)}`,
      token.slice(26),
      `${'0'.repeat(26)}${token.slice(26)}`,
      `${token}\uffff`,
    ];
    expect((await refresh(other, token)).body.code).toBe('invalid_refresh_token');
    for (const wrong of forged.slice(2)) expect((await refresh(id, wrong)).body.code).toBe('invalid_refresh_token');
    expect(await readState(id, minted.access_token)).toBe('valid');
  });

  test('uses the rows of the session, whatever ids the token contains', async () => {
    await givePermissions('posts:read');
    const member = await newMember();
    const id = await newBlueprint();
    const { refresh_token: token } = (await delegate(id, member)).body;
    // The ids of organization and user in the token, which are hints for prefetching.
    const changed = `${token.slice(0, 78)}${'0'.repeat(52)}${token.slice(130)}`;
    expect((await refresh(id, changed)).body.permissions).toEqual(['posts:read']);
    await moveAway(member);
    await call('PUT', `/user_management/organization_memberships/${member.membershipId}/deactivate`);
    expect((await refresh(id, changed)).body.code).toBe('user_not_member_of_organization');
  });

  test('returns no token after the response to a revocation', async () => {
    const id = await newBlueprint();
    const organizationId = await newOrganization();
    for (let round = 0; round < 5; round += 1) {
      const minted = (await autonomous(id, organizationId)).body;
      const path = `/agents/sessions/${minted.agent_instance_session_id}/revoke`;
      const [revoked, ...refreshed] = await Promise.all([
        call<{ status: string }>('POST', path),
        ...Array.from({ length: 10 }, () => refresh(id, minted.refresh_token)),
      ]);
      expect(revoked.body.status).toBe('revoked');
      for (const { status, body } of refreshed) {
        if (status === 200) expect(await readState(id, body.access_token)).toBe('session_revoked');
        else expect(['session_revoked', 'concurrent_request']).toContain(body.code);
      }
      expect((await refresh(id, minted.refresh_token)).body.code).toBe('session_revoked');
    }
  });

  test('of a delegated session does not extend it beyond the delegating session', async () => {
    const organizationId = await newOrganization();
    const short = await newBlueprint({ session_settings: { refresh_token_ttl_seconds: 100 } });
    const long = await newBlueprint();
    const parent = (await autonomous(short, organizationId)).body;
    const child = (await pass(long, parent.access_token)).body;
    await advance(50);
    const again = (await refresh(long, child.refresh_token)).body;
    expect(await readEnd(child.agent_instance_session_id)).toBe(await readEnd(parent.agent_instance_session_id));
    await refresh(short, parent.refresh_token);
    await refresh(long, again.refresh_token);
    expect(await readEnd(child.agent_instance_session_id)).toBe(await readEnd(parent.agent_instance_session_id));
  });

  test('is rejected, like a new token, if the blueprint has no session settings, as an imported one may', async () => {
    const organizationId = await newOrganization();
    const id = await newBlueprint();
    const minted = (await autonomous(id, organizationId)).body;
    const environmentId = await environment();
    forgetEnvironments();
    const record = await blueprints.get(environmentId, id);
    if (record === undefined) throw new Error('There is no blueprint');
    await commitRows(environmentId, [blueprints.revise(record, { sessionSettings: undefined }).write]);
    expect((await autonomous(id, organizationId)).body.code).toBe('session_settings_not_found');
    expect((await refresh(id, minted.refresh_token)).body.code).toBe('session_settings_not_found');
  });
});

import { beforeEach, describe, expect, test } from '@jest/globals';
import { createRemoteJWKSet, jwtVerify } from 'jose';

import { newOrganization } from '../../support/organizations.ts';
import { advance, call, idle, reset, sdk, service } from '../../support/service.ts';
import { addMembership, addUser } from '../../support/users.ts';
import {
  agentEvents,
  autonomous,
  delegate,
  givePermissions,
  mint,
  moveAway,
  newBlueprint,
  newMember,
  pass,
  readClaims,
  refresh,
  setMemberPermissions,
  signIn,
  validate,
} from './support.ts';

const UNKNOWN = 'agent_blueprint_01K0G000000000000000000009';

beforeEach(() => reset());

describe('an agent token for a member', () => {
  test('has the permissions of the blueprint that the member has, and is verified with the published keys of sessions', async () => {
    await givePermissions('posts:read', 'posts:delete');
    const member = await newMember();
    const id = await newBlueprint({ permissions: ['posts:write', 'posts:read'] });
    const { body } = await delegate(id, member, { intent: 'Sort 😀' });
    expect(body).toEqual({
      access_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 300,
      refresh_token: expect.any(String),
      agent_instance_id: expect.stringMatching(/^agent_[0-9A-Z]{26}$/),
      new_instance: true,
      agent_instance_session_id: expect.stringMatching(/^agent_session_[0-9A-Z]{26}$/),
      permissions: ['posts:read'],
    });
    const { url, clientId } = await service();
    const keys = createRemoteJWKSet(new URL(`${url}/sso/jwks/${clientId}`));
    const { payload, protectedHeader } = await jwtVerify(body.access_token, keys, { audience: clientId });
    expect(protectedHeader).toMatchObject({ alg: 'RS256', typ: 'at+jwt' });
    expect(payload).toEqual({
      iss: expect.stringContaining(clientId),
      aud: clientId,
      sub: body.agent_instance_id,
      client_id: id,
      sid: body.agent_instance_session_id,
      org_id: member.organizationId,
      permissions: ['posts:read'],
      act: { sub: member.userId },
      intent: { text: 'Sort 😀' },
      jti: expect.any(String),
      iat: expect.any(Number),
      exp: Number(payload.iat) + 300,
    });
    expect((await validate(id, body.access_token)).body).toEqual({
      valid: true,
      agent_instance_id: body.agent_instance_id,
      agent_instance_session_id: body.agent_instance_session_id,
      organization_id: member.organizationId,
      permissions: ['posts:read'],
      intent: 'Sort 😀',
      acting_user_id: member.userId,
      session_expires_at: expect.any(String),
    });
  });

  test("has permissions by the member's current roles, not by the claims of the presented token", async () => {
    await givePermissions('posts:read', 'posts:write');
    const member = await newMember();
    await setMemberPermissions('posts:write', 'posts:delete');
    const { body } = await delegate(await newBlueprint(), member);
    expect(body.permissions).toEqual(['posts:write', 'posts:delete']);
  });

  test('omits the claim if the permissions are too large for a header; a validation returns all of them', async () => {
    const permissions = Array.from({ length: 90 }, (_, at) => `documents-of-the-archive-${at}:read`);
    for (const slug of permissions) await call('POST', '/authorization/permissions', { slug, name: slug });
    const organizationId = await newOrganization();
    const id = await newBlueprint({ permissions });
    const { body } = await autonomous(id, organizationId);
    const claims = readClaims(body.access_token);
    expect([claims.permissions, claims.permissions_omitted]).toEqual([undefined, true]);
    expect((await validate(id, body.access_token)).body.permissions).toEqual(permissions);
    const child = (await pass(id, body.access_token)).body;
    expect(child.permissions).toEqual(permissions);
  });
});

describe('an agent token', () => {
  test('is issued, or rejected with the error code of the reason, for every type of request', async () => {
    await givePermissions('posts:read');
    const member = await newMember();
    const other = await newOrganization('Other');
    const { body: role } = await call<{ slug: string }>('POST', '/authorization/roles', { slug: 'boss', name: 'Boss' });
    const gone = await newOrganization('Gone');
    const blueprints = {
      any: await newBlueprint(),
      here: await newBlueprint({ invocable_by: { organization_ids: [member.organizationId] } }),
      there: await newBlueprint({ invocable_by: { organization_ids: [other] } }),
      nowhere: await newBlueprint({ invocable_by: { organization_ids: [gone] } }),
      members: await newBlueprint({ invocable_by: { role_slugs: ['member', role.slug] } }),
      bosses: await newBlueprint({ invocable_by: { role_slugs: [role.slug] } }),
    };
    await call('DELETE', `/organizations/${gone}`);
    const root = (await autonomous(blueprints.any, member.organizationId)).body.access_token;
    const ofUser = (await delegate(blueprints.any, member)).body.access_token;
    const responses: Record<string, Record<string, string | number>> = {};
    for (const [name, id] of Object.entries(blueprints)) {
      const all = {
        user: await delegate(id, member),
        organization: await autonomous(id, member.organizationId),
        agent: await pass(id, root),
        'agent of a user': await pass(id, ofUser),
      };
      responses[name] = Object.fromEntries(
        Object.entries(all).map(([type, { status, body }]) => [type, body.code ?? status]),
      );
    }
    const every = (user: unknown, organization: unknown) => ({
      user,
      organization,
      agent: organization,
      'agent of a user': user,
    });
    expect(responses).toEqual({
      any: every(200, 200),
      here: every(200, 200),
      there: every('organization_not_invocable', 'organization_not_invocable'),
      nowhere: every('organization_not_invocable', 'organization_not_invocable'),
      members: every(200, 'role_not_invocable'),
      bosses: every('role_not_invocable', 'role_not_invocable'),
    });
    for (const unknown of ['org_01K0G000000000000000000009', 'org_😀\uffff']) {
      expect((await autonomous(blueprints.any, unknown)).body.code).toBe('organization_not_invocable');
    }
  });

  test('requires a valid session in an organization of which the user is an active member', async () => {
    await givePermissions('posts:read');
    const id = await newBlueprint();
    const organizationId = await newOrganization();
    const without = await signIn(await addUser());
    const leaving = await newMember(organizationId);
    await moveAway(leaving);
    await call('PUT', `/user_management/organization_memberships/${leaving.membershipId}/deactivate`);
    const member = await newMember(organizationId);
    const impersonated = await signIn(member.userId, organizationId, { email: 'eve@example.com', reason: null });
    const agent = (await delegate(id, member)).body.access_token;
    const forged = `${member.token.split('.').slice(0, 2).join('.')}.${'A'.repeat(342)}`;
    for (const [token, code] of [
      [without.token, 'invalid_user_access_token'],
      [impersonated.token, 'invalid_user_access_token'],
      [agent, 'invalid_user_access_token'],
      [forged, 'invalid_user_access_token'],
      ['a.b.c', 'invalid_user_access_token'],
      [`${member.token}\uffff`, 'invalid_user_access_token'],
      [leaving.token, 'user_not_member_of_organization'],
    ] as const) {
      const { status, body } = await delegate(id, { token });
      expect([status, body.code]).toEqual([code === 'user_not_member_of_organization' ? 403 : 400, code]);
    }
    await call('POST', '/user_management/sessions/revoke', { session_id: member.sessionId });
    expect((await delegate(id, member)).body.code).toBe('user_session_ended');
    expect((await delegate(UNKNOWN, member)).status).toBe(404);
    expect((await delegate(UNKNOWN, { token: 'x' })).status).toBe(404);
    await advance(300);
    expect((await delegate(id, impersonated)).body.code).toBe('invalid_user_access_token');
  });

  test("delegated by another agent has at most that agent's permissions, in its organization, and expires no later", async () => {
    await givePermissions('posts:read', 'posts:write', 'posts:delete');
    const member = await newMember();
    const top = await newBlueprint({
      permissions: ['posts:read', 'posts:write'],
      session_settings: { max_age_seconds: 600, refresh_token_ttl_seconds: 600 },
    });
    const below = await newBlueprint({ permissions: ['posts:delete', 'posts:write'] });
    const parent = (await delegate(top, member)).body;
    const child = (await pass(below, parent.access_token)).body;
    expect(child.permissions).toEqual(['posts:write']);
    expect(readClaims(child.access_token)).toMatchObject({
      act: { sub: member.userId },
      org_id: member.organizationId,
      agent_chain: [parent.agent_instance_id],
    });
    const ends = async (id: string) =>
      (await call<{ expires_at: string }>('GET', `/agents/sessions/${id}`)).body.expires_at;
    expect(await ends(child.agent_instance_session_id)).toBe(await ends(parent.agent_instance_session_id));
    await setMemberPermissions('posts:read');
    expect((await pass(below, parent.access_token)).body.permissions).toEqual([]);
    expect((await validate(below, child.access_token)).body.permissions).toEqual([]);
  });

  test('can be delegated up to five levels deep, or fewer if the settings limit it', async () => {
    const [id, organizationId] = [await newBlueprint(), await newOrganization()];
    const tokens = [(await autonomous(id, organizationId)).body.access_token];
    for (let depth = 2; depth <= 5; depth += 1) tokens.push((await pass(id, tokens.at(-1) ?? '')).body.access_token);
    expect((await pass(id, tokens[4] ?? '')).body.code).toBe('chain_depth_exceeded');
    expect((readClaims(tokens[4] ?? '').agent_chain as string[]).length).toBe(4);
    await call('PUT', '/x/agents/settings', { max_chain_depth: 1 });
    expect((await pass(id, tokens[0] ?? '')).body.code).toBe('chain_depth_exceeded');
    expect((await call('PUT', '/x/agents/settings', { max_chain_depth: 11 })).status).toBe(422);
  });

  test("is not issued for an agent's token that is forged, expired, of a user or of another environment", async () => {
    await givePermissions('posts:read');
    const member = await newMember();
    const id = await newBlueprint({
      session_settings: { access_token_ttl_seconds: 60, refresh_token_ttl_seconds: 120 },
    });
    const minted = (await delegate(id, member)).body;
    const [header = '', payload = '', signature = ''] = minted.access_token.split('.');
    const changed = Buffer.from(
      JSON.stringify({ ...readClaims(minted.access_token), permissions: ['posts:delete'] }),
    ).toString('base64url');
    const long = Buffer.from(
      JSON.stringify({
        ...readClaims(minted.access_token),
        agent_chain: Array.from({ length: 2_000 }, () => minted.agent_instance_id),
      }),
    ).toString('base64url');
    for (const token of [
      member.token,
      'x',
      `${header}.${changed}.${signature}`,
      `${header}.${payload}.`,
      `${header}.bnVsbA.${signature}`,
      `${header}.${long.slice(0, 14_000)}.${signature}`,
      minted.refresh_token,
    ]) {
      expect((await pass(id, token)).body.code).toBe('invalid_agent_access_token');
      expect((await validate(id, token)).body.code).toBe('invalid_agent_access_token');
    }
    expect((await validate(await newBlueprint(), minted.access_token)).body.code).toBe('invalid_agent_access_token');
    expect((await validate(UNKNOWN, minted.access_token)).status).toBe(404);
    expect((await validate(UNKNOWN, 'x')).status).toBe(404);
    await advance(61);
    for (const ask of [pass, validate])
      expect((await ask(id, minted.access_token)).body.code).toBe('invalid_agent_access_token');
    await advance(60);
    for (const ask of [pass, validate]) expect((await ask(id, minted.access_token)).body.code).toBe('session_expired');
  });

  test('is rejected with 400 for an invalid body, and for a blueprint without session_settings', async () => {
    const id = await newBlueprint();
    for (const body of [
      {},
      { type: 'password' },
      { type: 'autonomous' },
      { type: 'autonomous', organization_id: '' },
      { type: 'user_delegated' },
      { type: 'refresh', refresh_token: 'x'.repeat(16_385) },
      { type: 'autonomous', organization_id: 'org_x', intent: 'x'.repeat(256) },
    ]) {
      const { status, body: response } = await mint(id, body);
      expect([status, response.code]).toEqual([400, 'invalid_request']);
    }
    expect((await validate(id, '')).body.code).toBe('invalid_request');
    expect((await refresh(id, 'x')).body.code).toBe('invalid_refresh_token');
    expect((await refresh(UNKNOWN, 'x')).status).toBe(404);
  });
});

describe('an agent instance', () => {
  test('is created with the first token for a member or an organization, and can be listed by each filter', async () => {
    await givePermissions('posts:read');
    const member = await newMember();
    const { organizationId } = member;
    const id = await newBlueprint();
    const delegated = (await delegate(id, member)).body;
    const again = (await delegate(id, member)).body;
    expect([again.agent_instance_id, again.new_instance]).toEqual([delegated.agent_instance_id, false]);
    const other = (await autonomous(id, organizationId)).body;
    expect(other.new_instance).toBe(true);
    const elsewhere = (await autonomous(await newBlueprint(), await newOrganization())).body;
    await idle();
    const { agents } = sdk();
    const list = async (filter: object) => (await agents.listInstances(filter)).data.map((one) => one.id).toSorted();
    const [one, two, three] = [delegated, other, elsewhere].map((minted) => minted.agent_instance_id);
    expect(await list({})).toEqual([one, two, three].toSorted());
    expect(await list({ agentBlueprintId: id })).toEqual([one, two].toSorted());
    expect(await list({ organizationId })).toEqual([one, two].toSorted());
    expect(await list({ organizationId: 'org_none', agentBlueprintId: id })).toEqual([]);
    expect(await agents.getInstance(String(one))).toMatchObject({
      agentBlueprintId: id,
      organizationMembershipId: member.membershipId,
      type: 'delegated',
    });
    expect(await agents.getInstance(String(two))).toMatchObject({ organizationMembershipId: null, type: 'autonomous' });
    const created = await agentEvents('instance.created', 'instance.session.created');
    expect(created.filter(({ event }) => event === 'agent.instance.created')).toHaveLength(3);
    expect(created.find(({ event }) => event === 'agent.instance.session.created')?.data).toMatchObject({
      agent_instance_id: one,
      organization_id: organizationId,
      revoked_at: null,
      permission_slugs: ['posts:read'],
    });
  });

  test('is a new one for a user who left the organization and joined again', async () => {
    const member = await newMember();
    const id = await newBlueprint();
    const first = (await delegate(id, member)).body;
    await call('DELETE', `/user_management/organization_memberships/${member.membershipId}`);
    await addMembership(member.userId, member.organizationId, 'active');
    const returned = await signIn(member.userId, member.organizationId);
    const second = (await delegate(id, returned)).body;
    expect(second.new_instance).toBe(true);
    expect(second.agent_instance_id).not.toBe(first.agent_instance_id);
    await idle();
    expect((await call('GET', `/agents/instances/${first.agent_instance_id}`)).status).toBe(404);
    expect((await call('GET', `/agents/instances/${second.agent_instance_id}`)).status).toBe(200);
    expect((await delegate(id, returned)).body.agent_instance_id).toBe(second.agent_instance_id);
  });

  test('is created once by 50 parallel first requests, and only one of them reports it as new', async () => {
    const [id, organizationId] = [await newBlueprint(), await newOrganization()];
    const minted = await Promise.all(Array.from({ length: 50 }, () => autonomous(id, organizationId)));
    expect(minted.map(({ status }) => status)).toEqual(minted.map(() => 200));
    expect(new Set(minted.map(({ body }) => body.agent_instance_id)).size).toBe(1);
    expect(minted.filter(({ body }) => body.new_instance)).toHaveLength(1);
    expect(new Set(minted.map(({ body }) => body.agent_instance_session_id)).size).toBe(50);
  });
});

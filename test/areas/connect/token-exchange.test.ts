import { beforeEach, describe, expect, test } from '@jest/globals';

import { systemActor } from '../../../functions/kernel/authentication/caller.ts';
import { newEnvironment, newEnvironmentKey } from '../../../functions/kernel/authentication/api-key.ts';
import { applyWork } from '../../../functions/kernel/storage/background.ts';
import { newOrganization } from '../../support/organizations.ts';
import { advance, call, idle, reset, service } from '../../support/service.ts';
import { environment } from '../../support/users.ts';
import * as agents from '../agents/support.ts';
import { application, post, type Query } from './person.ts';

const TYPE = 'urn:ietf:params:oauth:token-type:access_token';
const GRANT = 'urn:ietf:params:oauth:grant-type:token-exchange';

interface Exchanged {
  access_token: string;
  issued_token_type: string;
  token_type: string;
  expires_in: number;
  scope: string;
  refresh_token?: string;
  error?: string;
  error_description?: string;
}

/** Exchanges a token as the environment, with its client id and API key in the form unless others are given. */
async function exchange(blueprintId: string | undefined, token: string | undefined, more: Query = {}, headers = {}) {
  const { clientId, apiKey } = await service();
  const form = {
    grant_type: GRANT,
    client_id: clientId,
    client_secret: apiKey,
    audience: blueprintId,
    subject_token: token,
    subject_token_type: TYPE,
    ...more,
  };
  return post<Exchanged>('token', form, headers);
}

const basic = (id: string, secret: string) => ({
  authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
});

const session = async (token: string) => {
  const { sid } = agents.readClaims(token);
  return (await call<{ expires_at: string; status: string }>('GET', `/agents/sessions/${String(sid)}`)).body;
};

beforeEach(() => reset());

describe('the exchange of a token (RFC 8693)', () => {
  test("issues an agent token for a user's token, with the same permissions as a mint and without a refresh token", async () => {
    await agents.givePermissions('posts:read', 'posts:write');
    const member = await agents.newMember();
    const id = await agents.newBlueprint({ permissions: ['posts:write', 'posts:read', 'posts:delete'] });
    const { status, body, headers } = await exchange(id, member.token);
    expect([status, headers['cache-control']]).toEqual([200, 'no-store']);
    expect(body).toEqual({
      access_token: expect.any(String),
      issued_token_type: TYPE,
      token_type: 'Bearer',
      expires_in: 300,
      scope: 'posts:write posts:read',
    });
    expect(agents.readClaims(body.access_token)).toMatchObject({
      client_id: id,
      act: { sub: member.userId },
      org_id: member.organizationId,
      permissions: ['posts:write', 'posts:read'],
    });
    expect((await agents.validate(id, body.access_token)).body).toMatchObject({
      valid: true,
      acting_user_id: member.userId,
      permissions: ['posts:write', 'posts:read'],
    });
    await idle();
    const events = await agents.agentEvents('instance.created', 'instance.session.created');
    expect(events.map(({ event }) => event)).toEqual(['agent.instance.created', 'agent.instance.session.created']);
    const { exp } = agents.readClaims(body.access_token);
    const { expires_at: end } = await session(body.access_token);
    expect(Math.abs(Date.parse(end) - Number(exp) * 1_000)).toBeLessThanOrEqual(2_000);
    await advance(302);
    expect(await agents.readState(id, body.access_token)).toBe('session_expired');
  });

  test("issues an agent token for another agent's token, with at most its permissions and no later expiry", async () => {
    await agents.givePermissions('posts:read', 'posts:write');
    const member = await agents.newMember();
    const [top, below] = [await agents.newBlueprint(), await agents.newBlueprint()];
    const narrow = (await exchange(top, member.token, { scope: 'posts:read' })).body;
    expect(narrow.scope).toBe('posts:read');
    const child = (await exchange(below, narrow.access_token)).body;
    expect(child.scope).toBe('posts:read');
    expect(agents.readClaims(child.access_token)).toMatchObject({
      agent_chain: [agents.readClaims(narrow.access_token).sub],
      act: { sub: member.userId },
    });
    // Neither another scope nor the operation of the API gives back what the exchange left out.
    expect((await exchange(below, narrow.access_token, { scope: 'posts:write' })).body.error).toBe('invalid_scope');
    expect((await agents.pass(below, narrow.access_token)).body.permissions).toEqual(['posts:read']);
    const ends = await Promise.all([session(narrow.access_token), session(child.access_token)]);
    expect(ends[1]?.expires_at).toBe(ends[0]?.expires_at);
    await agents.setMemberPermissions('posts:write');
    expect((await exchange(below, narrow.access_token)).body.scope).toBe('');
    await call('POST', '/user_management/sessions/revoke', { session_id: member.sessionId });
    for (const [id, token] of [
      [top, narrow.access_token],
      [below, child.access_token],
    ] as const) {
      expect(await agents.readState(id, token)).toBe('user_session_ended');
      expect((await exchange(below, token)).body).toMatchObject({
        error: 'invalid_request',
        error_description: expect.stringContaining('session of the delegating user has ended'),
      });
    }
  });

  test('allows at most five levels of delegation, by exchanges and mints in any order', async () => {
    const [id, organizationId] = [await agents.newBlueprint(), await newOrganization()];
    let token = (await agents.autonomous(id, organizationId)).body.access_token;
    for (let depth = 2; depth <= 5; depth += 1) {
      const further = depth % 2 === 0 ? await exchange(id, token) : await agents.pass(id, token);
      token = further.body.access_token;
    }
    expect((await exchange(id, token)).body).toMatchObject({
      error: 'invalid_request',
      error_description: expect.stringContaining('max_chain_depth'),
    });
  });

  test('grants only those requested scopes that the agent may have', async () => {
    await agents.givePermissions('posts:read', 'posts:write');
    const member = await agents.newMember();
    const id = await agents.newBlueprint({ permissions: ['posts:read', 'posts:delete'] });
    const granted = async (scope: string) => {
      const { body } = await exchange(id, member.token, { scope });
      return body.error ?? body.scope;
    };
    expect(await granted('posts:read posts:read posts:delete posts:write openid')).toBe('posts:read');
    for (const scope of ['posts:write', 'posts:delete', 'openid', 'platform', '😀'])
      expect([scope, await granted(scope)]).toEqual([scope, 'invalid_scope']);
    expect(await granted('')).toBe('posts:read');
    await idle();
    // A rejected exchange opens no session.
    expect(await agents.agentEvents('instance.session.created')).toHaveLength(2);
  });
});

describe('an exchange is rejected', () => {
  test('without the client id of the environment and one of its unlimited API keys, each sent once', async () => {
    await agents.givePermissions('posts:read');
    const member = await agents.newMember();
    const id = await agents.newBlueprint();
    const { clientId, apiKey } = await service();
    const app = await application({}, { secret: true });
    const own = await environment();
    const other = newEnvironment('Elsewhere');
    const foreign = newEnvironmentKey(other.record.id, 'Key');
    const readOnly = newEnvironmentKey(own, 'Reader', { readOnly: true });
    const elsewhere = newEnvironmentKey(own, 'Sync', { areas: ['organizations', 'connect'] });
    const inArea = newEnvironmentKey(own, 'Agents', { areas: ['agents'] });
    await applyWork(own, systemActor, async (unit) =>
      unit.stage([other.write, ...[foreign, readOnly, elsewhere, inArea].flatMap(({ writes }) => writes)]),
    );
    const outside: Query = { client_id: undefined, client_secret: undefined };
    const methods: Record<string, [Query, Record<string, string>]> = {
      'no credentials': [outside, {}],
      'only the client id': [{ client_secret: undefined }, {}],
      'only the key': [{ client_id: undefined }, {}],
      'a wrong key': [{ client_secret: `${apiKey.slice(0, -1)}_` }, {}],
      'an empty key': [{ client_secret: '' }, {}],
      'a key of another environment': [{ client_secret: foreign.value }, {}],
      'a client id of another environment': [{ client_id: `client_${other.record.id.split('_')[1] ?? ''}` }, {}],
      'an application': [{ client_id: app.clientId, client_secret: app.secret }, {}],
      'a key with the id of an application': [{ client_id: app.clientId }, {}],
      'an assertion too': [{ client_assertion: 'x', client_assertion_type: 'y' }, {}],
      'credentials in both places': [{}, basic(clientId, apiKey)],
      'a bearer token': [outside, { authorization: `Bearer ${apiKey}` }],
      'a bearer token beside the form': [{}, { authorization: `Bearer ${apiKey}` }],
      'the id of another client in the form': [{ ...outside, client_id: app.clientId }, basic(clientId, apiKey)],
      'an unreadable header': [outside, { authorization: 'Basic %%%' }],
    };
    for (const [method, [form, headers]] of Object.entries(methods)) {
      const { status, body } = await exchange(id, member.token, form, headers);
      expect([method, status, body.error]).toEqual([method, 401, 'invalid_client']);
    }
    for (const key of [readOnly, elsewhere]) {
      const { status, body } = await exchange(id, member.token, { client_secret: key.value });
      expect([status, body.error]).toEqual([400, 'unauthorized_client']);
    }
    expect((await exchange(id, member.token, { client_secret: inArea.value })).status).toBe(200);
    expect((await exchange(id, member.token, outside, basic(clientId, apiKey))).status).toBe(200);
    const root = await call('POST', '/oauth2/token', undefined, {
      apiKey: null,
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...basic(clientId, apiKey) },
      rawBody: new URLSearchParams({
        grant_type: GRANT,
        audience: id,
        subject_token: member.token,
        subject_token_type: TYPE,
      }).toString(),
    });
    expect(root.status).toBe(200);
  });

  test('with parameters that are missing, repeated or not supported', async () => {
    await agents.givePermissions('posts:read');
    const member = await agents.newMember();
    const id = await agents.newBlueprint();
    const wrong: [Query, string, string][] = [
      [{ audience: undefined }, 'invalid_request', 'audience'],
      [{ audience: 'agent_blueprint_01K0G000000000000000000009' }, 'invalid_target', 'agent blueprint'],
      [{ audience: 'https://api.example.com/' }, 'invalid_target', 'agent blueprint'],
      [{ audience: (await service()).clientId }, 'invalid_target', 'agent blueprint'],
      [{ audience: '😀\uffff' }, 'invalid_target', 'agent blueprint'],
      [{ resource: 'https://api.example.com/' }, 'invalid_target', 'audience'],
      [{ subject_token: undefined }, 'invalid_request', 'subject_token'],
      [{ subject_token_type: undefined }, 'invalid_request', 'subject_token_type'],
      [{ subject_token_type: 'urn:ietf:params:oauth:token-type:id_token' }, 'invalid_request', 'subject_token_type'],
      [
        { subject_token_type: 'urn:ietf:params:oauth:token-type:refresh_token' },
        'invalid_request',
        'subject_token_type',
      ],
      [
        { requested_token_type: 'urn:ietf:params:oauth:token-type:refresh_token' },
        'invalid_request',
        'requested_token',
      ],
      [{ actor_token: member.token, actor_token_type: TYPE }, 'invalid_request', 'actor_token'],
    ];
    for (const [form, error, text] of wrong) {
      const { status, body } = await exchange(id, member.token, form);
      expect([form, status, body.error]).toEqual([form, 400, error]);
      expect(body.error_description).toContain(text);
    }
    expect((await exchange(id, member.token, { subject_token_type: TYPE.replace('access_token', 'jwt') })).status).toBe(
      200,
    );
    expect((await exchange(id, member.token, { requested_token_type: TYPE })).status).toBe(200);
  });

  test('for a subject that may not delegate, or to which the blueprint is not open', async () => {
    await agents.givePermissions('posts:read');
    const member = await agents.newMember();
    const id = await agents.newBlueprint();
    const impersonated = await agents.signIn(member.userId, member.organizationId, {
      email: 'eve@example.com',
      reason: null,
    });
    const leaving = await agents.newMember(member.organizationId);
    await agents.moveAway(leaving);
    await call('PUT', `/user_management/organization_memberships/${leaving.membershipId}/deactivate`);
    const other = await newOrganization('Other');
    const there = await agents.newBlueprint({ invocable_by: { organization_ids: [other] } });
    await call('POST', '/authorization/roles', { slug: 'boss', name: 'Boss' });
    const bosses = await agents.newBlueprint({ invocable_by: { role_slugs: ['boss'] } });
    const agent = (await agents.delegate(id, member)).body;
    const [header = '', , signature = ''] = agent.access_token.split('.');
    const claims = { ...agents.readClaims(agent.access_token), permissions: ['posts:delete'] };
    const forged = `${header}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.${signature}`;
    const cases: [string, string, string, string][] = [
      ['an impersonator', id, impersonated.token, 'invalid_request'],
      ['a former member', id, leaving.token, 'invalid_request'],
      ['a forged token', id, forged, 'invalid_request'],
      ['no JWT', id, 'x', 'invalid_request'],
      ['a refresh token of an agent', id, agent.refresh_token, 'invalid_request'],
      ['another organization', there, member.token, 'invalid_target'],
      ['another role', bosses, member.token, 'invalid_target'],
    ];
    for (const [subject, blueprint, token, error] of cases) {
      const { status, body } = await exchange(blueprint, token);
      expect([subject, status, body.error]).toEqual([subject, 400, error]);
    }
    await call('POST', '/x/agents/stop', { target: 'environment', reason: 'Incident' });
    expect((await exchange(id, member.token)).body).toMatchObject({
      error: 'invalid_target',
      error_description: expect.stringContaining('are stopped'),
    });
  });
});

test('the metadata names the exchange', async () => {
  const { clientId } = await service();
  const path = `/.well-known/oauth-authorization-server/user_management/${clientId}`;
  const { body } = await call<{ grant_types_supported: string[] }>('GET', path, undefined, { apiKey: null });
  expect(body.grant_types_supported).toContain(GRANT);
});

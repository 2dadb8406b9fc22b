import { beforeEach, describe, expect, test } from '@jest/globals';

import { call, idle, reset, sdk } from '../../support/service.ts';
import { newOrganization } from '../../support/organizations.ts';

interface Blueprint {
  id: string;
  name: string;
  description: string | null;
  permissions: string[];
  invocable_by: { role_slugs: string[]; organization_ids: string[] };
  invocable_as: { instance_types: string[] };
  session_settings: Record<string, number>;
  updated_at: string;
  code?: string;
}

const create = (body: object) => call<Blueprint>('POST', '/agents/blueprints', body);
const update = (id: string, body: object) => call<Blueprint>('PATCH', `/agents/blueprints/${id}`, body);
const get = (id: string) => call<Blueprint>('GET', `/agents/blueprints/${id}`);
const permission = (slug: string) => call('POST', '/authorization/permissions', { slug, name: slug });

interface Event {
  event: string;
  data: Record<string, unknown>;
  context: { previous_attributes?: Record<string, unknown> };
}

const events = async (): Promise<Event[]> => {
  await idle();
  const names = ['created', 'updated', 'deleted'].map((verb) => `agent.blueprint.${verb}`).join(',');
  return (await call<{ data: Event[] }>('GET', `/events?events=${names}&limit=100`)).body.data;
};

beforeEach(() => reset());

describe('an agent blueprint', () => {
  test('has a default for each member of session_settings, and by default allows every member of every organization', async () => {
    const { status, body } = await create({ name: ' Triage ', session_settings: { access_token_ttl_seconds: 60 } });
    expect([status, body]).toEqual([
      201,
      {
        object: 'agent_blueprint',
        id: expect.stringMatching(/^agent_blueprint_[0-9A-Z]{26}$/),
        name: 'Triage',
        description: null,
        permissions: [],
        invocable_by: { role_slugs: [], organization_ids: [] },
        invocable_as: { instance_types: ['delegated', 'autonomous'] },
        session_settings: {
          max_age_seconds: 3_600,
          access_token_ttl_seconds: 60,
          refresh_token_ttl_seconds: 3_600,
        },
        created_at: expect.any(String),
        updated_at: body.updated_at,
      },
    ]);
    expect((await get(body.id)).body).toEqual(body);
  });

  test('has types of agents, which an update without them keeps and its events show', async () => {
    const types = (...instance_types: string[]) => ({ invocable_as: { instance_types } });
    const { body } = await create({ name: 'Batch', ...types('autonomous', 'autonomous') });
    expect(body).toMatchObject(types('autonomous'));
    expect((await update(body.id, { name: 'Batches', invocable_as: {} })).body).toMatchObject(types('autonomous'));
    const both = types('delegated', 'autonomous');
    expect((await update(body.id, types('autonomous', 'delegated'))).body).toMatchObject(both);
    expect((await get(body.id)).body).toMatchObject(both);
    const [made, renamed, changed] = await events();
    expect([made?.data, renamed?.data, changed?.data]).toMatchObject([types('autonomous'), types('autonomous'), both]);
    expect(changed?.context.previous_attributes).toEqual(types('autonomous'));
    for (const wrong of [types(), types('other')]) expect((await update(body.id, wrong)).status).toBe(400);
  });

  test('is created, listed, updated and deleted with the official client', async () => {
    await permission('posts:read');
    const organizationId = await newOrganization();
    const { agents } = sdk();
    const made = await agents.createBlueprint({
      name: 'Writer',
      description: 'Writes posts',
      permissions: ['posts:read', 'posts:read'],
      invocableBy: { roleSlugs: ['member'], organizationIds: [organizationId] },
      sessionSettings: { maxAgeSeconds: 7_200, accessTokenTtlSeconds: 600, refreshTokenTtlSeconds: 900 },
    });
    expect(made).toMatchObject({ permissions: ['posts:read'], invocableBy: { roleSlugs: ['member'] } });
    await idle();
    expect((await agents.listBlueprints()).data.map(({ id }) => id)).toEqual([made.id]);
    const renamed = await agents.updateBlueprint({ agentBlueprintId: made.id, name: 'Author' });
    expect(renamed).toEqual({ ...made, name: 'Author', updatedAt: renamed.updatedAt });
    await agents.deleteBlueprint(made.id);
    expect((await get(made.id)).status).toBe(404);
    expect((await create({ name: 'Author' })).status).toBe(201);
  });

  test('has a unique name, compared exactly, which can be used again after a deletion or renaming', async () => {
    const first = (await create({ name: 'Triage' })).body;
    expect(await create({ name: 'Triage ' })).toMatchObject({ status: 409, body: { code: 'name_already_in_use' } });
    const second = (await create({ name: 'triage' })).body;
    expect(await update(second.id, { name: 'Triage' })).toMatchObject({
      status: 409,
      body: { code: 'name_already_in_use' },
    });
    expect((await update(first.id, { name: 'Other' })).status).toBe(200);
    expect((await update(second.id, { name: 'Triage' })).status).toBe(200);
    const parallel = await Promise.all(Array.from({ length: 8 }, () => create({ name: 'Same' })));
    expect(parallel.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409, 409, 409, 409, 409]);
  });

  test('requires existing permissions, roles and organizations; the error names the first unknown one', async () => {
    await permission('posts:read');
    const organizationId = await newOrganization();
    const other = 'org_01K0G000000000000000000009';
    const { body: made } = await create({ name: 'Writer', permissions: ['posts:read'] });
    for (const [body, code, named] of [
      [{ permissions: ['posts:read', 'posts:none', 'posts:nil'] }, 'permission_not_found', 'posts:none'],
      [{ invocable_by: { role_slugs: ['member', 'boss'] } }, 'role_not_found', 'boss'],
      [{ invocable_by: { organization_ids: [organizationId, other] } }, 'organization_not_found', other],
      [{ permissions: ['\uffff😀'] }, 'permission_not_found', '😀'],
    ] as const) {
      for (const response of [await create({ name: 'New', ...body }), await update(made.id, body)]) {
        expect(response).toMatchObject({ status: 422, body: { code, message: expect.stringContaining(named) } });
      }
    }
    expect((await get(made.id)).body).toEqual(made);
    expect((await update('agent_blueprint_01K0G000000000000000000009', { permissions: ['none'] })).status).toBe(404);
  });

  test('keeps the id of a deleted organization, because an empty list would allow every organization', async () => {
    const organizationId = await newOrganization();
    const { body } = await create({ name: 'Bound', invocable_by: { organization_ids: [organizationId] } });
    await call('DELETE', `/organizations/${organizationId}`);
    await idle();
    expect((await get(body.id)).body.invocable_by.organization_ids).toEqual([organizationId]);
    expect((await update(body.id, { name: 'Renamed' })).body.invocable_by.organization_ids).toEqual([organizationId]);
  });

  test('is changed by PATCH only in the given members: lists are replaced, and null clears the description', async () => {
    await permission('posts:read');
    const { body: made } = await create({
      name: 'Writer',
      description: 'Writes 😀',
      permissions: ['posts:read'],
      invocable_by: { role_slugs: ['member'] },
      session_settings: { max_age_seconds: 600 },
    });
    const { body } = await update(made.id, {
      description: null,
      permissions: [],
      invocable_by: { organization_ids: [] },
      session_settings: { access_token_ttl_seconds: 600 },
    });
    expect(body).toEqual({
      ...made,
      description: null,
      permissions: [],
      session_settings: { max_age_seconds: 600, access_token_ttl_seconds: 600, refresh_token_ttl_seconds: 3_600 },
      updated_at: body.updated_at,
    });
    const rejected = await update(made.id, { session_settings: { max_age_seconds: 599 } });
    expect(rejected).toMatchObject({
      status: 400,
      body: { code: 'invalid_request', message: expect.stringContaining('access_token_ttl_seconds') },
    });
  });

  test('emits events for its creation, for each change with the previous values, and for its deletion', async () => {
    const { body } = await create({ name: 'Triage' });
    await update(body.id, { name: 'Triage' });
    await update(body.id, { description: 'Sorts' });
    await call('DELETE', `/agents/blueprints/${body.id}`);
    const found = await events();
    expect(found.map(({ event }) => event)).toEqual(
      ['created', 'updated', 'deleted'].map((v) => `agent.blueprint.${v}`),
    );
    expect(found[1]?.context.previous_attributes).toEqual({ description: null });
    expect(Object.keys(found[2]?.data ?? {})).toEqual(['object', 'id', 'name', 'created_at', 'updated_at']);
  });

  test('with an invalid member is rejected, and the error names the member', async () => {
    for (const [body, member] of [
      [{}, 'name'],
      [{ name: '  ' }, 'name'],
      [{ name: 'x'.repeat(256) }, 'name'],
      [{ name: 'x', description: '' }, 'description'],
      [{ name: 'x', permissions: 'posts:read' }, 'permissions'],
      [{ name: 'x', permissions: Array.from({ length: 1_001 }, (_, at) => `p${at}`) }, 'permissions'],
      [{ name: 'x', session_settings: { max_age_seconds: 0 } }, 'session_settings.max_age_seconds'],
      [{ name: 'x', session_settings: { max_age_seconds: 31_536_001 } }, 'session_settings.max_age_seconds'],
      [
        { name: 'x', session_settings: { access_token_ttl_seconds: 3_601 } },
        'session_settings.access_token_ttl_seconds',
      ],
      [{ name: 'x', session_settings: { max_age_seconds: 299 } }, 'session_settings.access_token_ttl_seconds'],
      [
        { name: 'x', session_settings: { refresh_token_ttl_seconds: 1.5 } },
        'session_settings.refresh_token_ttl_seconds',
      ],
    ] as const) {
      const response = await create(body);
      expect(response).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
      expect(JSON.stringify(response.body)).toContain(`"field":"${member}"`);
    }
    const { body } = await create({ name: `\u0000\uffff😀${'ü'.repeat(200)}` });
    expect((await get(body.id)).body.name).toBe(body.name);
  });
});

import { beforeEach, describe, expect, test } from '@jest/globals';

import { addFault, call, clearFaults, idle, reset, sdk } from '../../support/service.ts';
import { assign, check, newMember, newOrganization, newPermission, newResource, newRole, newWorld } from './world.ts';

const path = (organizationId: string, type: string, externalId: string): string =>
  `/authorization/organizations/${organizationId}/resources/${type}/${encodeURIComponent(externalId)}`;

const ownResource = (organizationId: string): string => organizationId.replace('org_', 'authz_resource_');

beforeEach(() => reset());

describe('a resource', () => {
  test('is created, read, listed, changed and deleted by the official SDK', async () => {
    const { organizationId } = await newWorld();
    const { authorization } = sdk();
    const made = await authorization.createResource({
      organizationId,
      resourceTypeSlug: 'workspace',
      externalId: 'ws 1',
      name: 'First',
    });
    expect(made).toMatchObject({ externalId: 'ws 1', name: 'First', parentResourceId: ownResource(organizationId) });
    expect(await authorization.getResource(made.id)).toEqual(made);
    const named = { organizationId, resourceTypeSlug: 'workspace', externalId: 'ws 1' };
    expect(await authorization.getResourceByExternalId(named)).toEqual(made);
    expect(await authorization.updateResource({ resourceId: made.id, name: 'Second' })).toMatchObject({
      name: 'Second',
    });
    await idle();
    const { data } = await authorization.listResources({ organizationId });
    expect(data.map(({ id, name }) => [id, name])).toEqual([[made.id, 'Second']]);
    await authorization.deleteResource({ resourceId: made.id });
    await expect(authorization.getResource(made.id)).rejects.toMatchObject({ status: 404 });
    await expect(authorization.getResourceByExternalId(named)).rejects.toMatchObject({ status: 404 });
  });

  test.each([
    'apollo',
    'authz_resource_',
    'org_01JZZZZZZZZZZZZZZZZZZZZZZZ',
    'authz_resource_01JZZZZZZZZZZZZZZZZZZZZZZZ#x',
  ])('is not found by %j, which is not a resource id', async (id) => {
    expect(await call('GET', `/authorization/resources/${encodeURIComponent(id)}`)).toMatchObject({
      status: 422,
      body: { errors: [{ field: 'resource_id' }] },
    });
  });

  test('has a unique external id within organization and type', async () => {
    const { organizationId } = await newWorld();
    await newResource(organizationId, 'workspace', undefined, 'one');
    const again = { organization_id: organizationId, resource_type_slug: 'workspace', external_id: 'one', name: 'One' };
    expect(await call('POST', '/authorization/resources', again)).toMatchObject({
      status: 409,
      body: { code: 'authorization_resource_external_id_conflict' },
    });
    await newResource(organizationId, 'project', undefined, 'one');
    await newResource(await newOrganization(), 'workspace', undefined, 'one');
  });

  test.each([
    ['owner/repo'],
    ['50%'],
    ['a%2Fb'],
    ['a+b c'],
    ['permissions'],
    ['role_assignments'],
    ['organization_memberships/x'],
    ['a:b=c;d,e@f&g'],
    ["'quoted'"],
    ['...'],
  ])('is found by its external id %j in path, query and body', async (externalId) => {
    const { organizationId, membershipId } = await newWorld();
    const { id } = await newResource(organizationId, 'project', undefined, externalId);
    const one = path(organizationId, 'project', externalId);
    expect((await call('GET', one)).body).toMatchObject({ id, external_id: externalId });
    expect((await call('PATCH', one, { name: 'New' })).body).toMatchObject({ id, name: 'New' });
    const permissions = `/authorization/organization_memberships/${membershipId}/resources/project/${encodeURIComponent(externalId)}/permissions`;
    expect((await call('GET', permissions)).status).toBe(200);
    const query = new URLSearchParams({
      organization_id: organizationId,
      resource_type_slug: 'project',
      resource_external_id: externalId,
    });
    expect((await call('GET', `/authorization/resources?${query.toString()}`)).body).toMatchObject({ data: [{ id }] });
    expect((await call('DELETE', one)).status).toBe(204);
    expect((await call('GET', one)).status).toBe(404);
  });

  test.each([
    ['a\u0000b', 'control characters'],
    ['a\u007f', 'control characters'],
    ['a?b', '?'],
    ['a#b', '#'],
    ['a\\b', '\\'],
    ['/a', 'empty segment'],
    ['a//b', 'empty segment'],
    ['a/', 'empty segment'],
    ['.', 'segment'],
    ['a/../b', 'segment'],
    ['a/permissions', 'permissions'],
    ['a/role_assignments', 'role_assignments'],
    ['a/b/organization_memberships', 'organization_memberships'],
    ['é', 'ASCII'],
    ['', '1'],
    ['x'.repeat(129), '128'],
  ])('rejects the external id %j and reports the reason', async (external_id, reason) => {
    const { organizationId } = await newWorld();
    const body = { organization_id: organizationId, resource_type_slug: 'project', external_id, name: 'X' };
    const { status, body: rejected } = await call('POST', '/authorization/resources', body);
    expect([status, JSON.stringify(rejected).includes(JSON.stringify(reason).slice(1, -1))]).toEqual([422, true]);
  });

  test('must have a parent of an allowed type', async () => {
    const { organizationId } = await newWorld();
    const workspace = await newResource(organizationId, 'workspace');
    const project = await newResource(organizationId, 'project', workspace.id);
    expect(project.parent_resource_id).toBe(workspace.id);
    const wanted = { organization_id: organizationId, external_id: 'x', name: 'X' };
    for (const body of [
      { ...wanted, resource_type_slug: 'app' },
      { ...wanted, resource_type_slug: 'app', parent_resource_id: workspace.id },
      { ...wanted, resource_type_slug: 'nothing' },
      { ...wanted, resource_type_slug: 'app', parent_resource_id: project.id, parent_resource_external_id: 'x' },
    ]) {
      expect([body, (await call('POST', '/authorization/resources', body)).status]).toEqual([body, 422]);
    }
  });

  test('of the type of organizations cannot be created', async () => {
    const { organizationId } = await newWorld();
    const body = { organization_id: organizationId, resource_type_slug: 'organization', external_id: 'x', name: 'X' };
    const rejected = { status: 400, body: { code: 'bad_request' } };
    expect(await call('POST', '/authorization/resources', body)).toMatchObject(rejected);
  });

  test('that represents an organization needs no row and exists only while the organization does', async () => {
    const { organizationId } = await newWorld();
    const id = ownResource(organizationId);
    expect((await call('GET', `/authorization/resources/${id}`)).body).toMatchObject({
      id,
      external_id: organizationId,
      resource_type_slug: 'organization',
      parent_resource_id: null,
    });
    expect((await call('GET', path(organizationId, 'organization', organizationId))).body).toMatchObject({ id });
    const rejected = { status: 403, body: { code: 'organization_resource_is_fixed' } };
    for (const named of [`/authorization/resources/${id}`, path(organizationId, 'organization', organizationId)]) {
      expect(await call('PATCH', named, { name: 'X' })).toMatchObject(rejected);
      expect(await call('DELETE', `${named}?cascade_delete=true`)).toMatchObject(rejected);
    }
    await call('DELETE', `/organizations/${organizationId}`);
    expect((await call('GET', `/authorization/resources/${id}`)).status).toBe(404);
  });

  test('is not found after its organization was deleted', async () => {
    const { organizationId } = await newWorld();
    const { id } = await newResource(organizationId, 'workspace');
    await call('DELETE', `/organizations/${organizationId}`);
    expect((await call('GET', `/authorization/resources/${id}`)).status).toBe(404);
  });
});

describe('the list of resources', () => {
  test('requires an organization or a type, and has consistent pages below a parent', async () => {
    const { organizationId } = await newWorld();
    expect((await call('GET', '/authorization/resources')).body).toMatchObject({
      code: 'missing_organization_id_or_resource_type_slug',
    });
    const workspace = await newResource(organizationId, 'workspace');
    const made: string[] = [];
    for (let at = 0; at < 5; at += 1) made.push((await newResource(organizationId, 'project', workspace.id)).id);
    await newResource(organizationId, 'project');
    const seen: string[] = [];
    let after: string | null = '';
    while (after !== null) {
      const query = new URLSearchParams({
        organization_id: organizationId,
        parent_resource_id: workspace.id,
        limit: '2',
        order: 'asc',
      });
      if (after !== '') query.set('after', after);
      const { body } = await call<{ data: { id: string }[]; list_metadata: { after: string | null } }>(
        'GET',
        `/authorization/resources?${query.toString()}`,
      );
      seen.push(...body.data.map(({ id }) => id));
      after = body.list_metadata.after;
    }
    expect(seen).toEqual(made);
  });

  test('reveals nothing about a parent in another organization', async () => {
    const { organizationId } = await newWorld();
    const other = await newOrganization();
    const foreign = await newResource(other, 'workspace', undefined, 'foreign');
    await newResource(other, 'project', foreign.id);
    const query = `organization_id=${organizationId}&parent_resource_id=${foreign.id}`;
    expect((await call('GET', `/authorization/resources?${query}`)).body).toMatchObject({ data: [] });
    const byName = 'parent_external_id=foreign&parent_resource_type_slug=workspace&resource_type_slug=project';
    expect((await call('GET', `/authorization/resources?${byName}`)).status).toBe(422);
  });
});

describe('a change', () => {
  test('that keeps conflicting is rejected with lock_timeout, and changes nothing', async () => {
    const { organizationId } = await newWorld();
    const { id, name, external_id: externalId } = await newResource(organizationId, 'workspace');
    const byExternalId = path(organizationId, 'workspace', externalId);
    const wanted = { organization_id: organizationId, resource_type_slug: 'workspace', external_id: 'x', name: 'X' };
    const fault = await addFault({
      target: 'table',
      kind: 'conflict',
      operations: ['TransactWriteItems'],
      probability: 1,
    });
    const responses = [
      await call('POST', '/authorization/resources', wanted),
      await call('PATCH', `/authorization/resources/${id}`, { name: 'New' }),
      await call('PATCH', byExternalId, { name: 'New' }),
      await call('DELETE', `/authorization/resources/${id}`),
      await call('DELETE', byExternalId),
    ];
    await clearFaults(fault.id);
    for (const response of responses) expect(response).toMatchObject({ status: 400, body: { code: 'lock_timeout' } });
    expect((await call('GET', `/authorization/resources/${id}`)).body).toMatchObject({ name });
    expect((await call('GET', path(organizationId, 'workspace', 'x'))).status).toBe(404);
  });
});

describe('a move', () => {
  test('of a resource also moves its subtree, which the next check takes into account', async () => {
    const { organizationId, membershipId } = await newWorld();
    await newPermission('app:read', 'app');
    await newRole('keeper', 'workspace', ['app:read']);
    const [one, other] = [
      await newResource(organizationId, 'workspace'),
      await newResource(organizationId, 'workspace'),
    ];
    const project = await newResource(organizationId, 'project', one.id);
    const app = await newResource(organizationId, 'app', project.id);
    await assign(membershipId, 'keeper', one.id);
    expect(await check(membershipId, 'app:read', app.id)).toBe(true);
    await call('PATCH', `/authorization/resources/${project.id}`, { parent_resource_id: other.id });
    expect(await check(membershipId, 'app:read', app.id)).toBe(false);
    await call('PATCH', `/authorization/resources/${project.id}`, { parent_resource_id: one.id });
    expect(await check(membershipId, 'app:read', app.id)).toBe(true);
  });

  test('below itself, a descendant, a parent of a wrong type or another organization is rejected', async () => {
    const { organizationId } = await newWorld();
    const workspace = await newResource(organizationId, 'workspace');
    const project = await newResource(organizationId, 'project', workspace.id);
    const foreign = await newResource(await newOrganization(), 'workspace');
    const move = async (id: string, parent: string) =>
      (await call('PATCH', `/authorization/resources/${id}`, { parent_resource_id: parent })).status;
    expect(await move(workspace.id, workspace.id)).toBe(422);
    expect(await move(workspace.id, project.id)).toBe(422);
    expect(await move(project.id, project.id)).toBe(422);
    expect(await move(project.id, foreign.id)).toBe(404);
    expect((await call('GET', `/authorization/resources/${project.id}`)).body).toMatchObject({
      parent_resource_id: workspace.id,
    });
  });
});

describe('a deletion', () => {
  test('without cascade is rejected if there are children or role assignments on the resource', async () => {
    const { organizationId, membershipId } = await newWorld();
    await newRole('lead', 'project', []);
    const workspace = await newResource(organizationId, 'workspace');
    const project = await newResource(organizationId, 'project', workspace.id);
    const rejected = { status: 409, body: { code: 'resource_has_dependents' } };
    expect(await call('DELETE', `/authorization/resources/${workspace.id}`)).toMatchObject(rejected);
    const byExternalId = path(organizationId, 'workspace', workspace.external_id);
    expect(await call('DELETE', byExternalId)).toMatchObject(rejected);
    expect((await assign(membershipId, 'lead', project.id)).status).toBe(201);
    expect(await call('DELETE', `/authorization/resources/${project.id}`)).toMatchObject(rejected);
    expect((await call('DELETE', `/authorization/resources/${workspace.id}?cascade_delete=true`)).status).toBe(204);
    for (const { id } of [workspace, project]) {
      expect((await call('GET', `/authorization/resources/${id}`)).status).toBe(404);
    }
  });

  test('is not blocked by a role assignment of a deleted membership', async () => {
    const { organizationId, membershipId } = await newWorld();
    await newRole('lead', 'project', []);
    const project = await newResource(organizationId, 'project');
    await assign(membershipId, 'lead', project.id);
    expect((await call('DELETE', `/user_management/organization_memberships/${membershipId}`)).status).toBeLessThan(
      300,
    );
    await idle();
    expect((await call('DELETE', `/authorization/resources/${project.id}`)).status).toBe(204);
  });

  test('of a large subtree ends all access below it at once, and removes the rows in the background', async () => {
    // The first run of the removal finds grants by an index; those that it lists late go in the second one, ten minutes later.
    await reset({ calm: true });
    const { organizationId } = await newWorld();
    await newPermission('app:read', 'app');
    await newRole('reader', 'app', ['app:read']);
    const workspace = await newResource(organizationId, 'workspace');
    const apps: string[] = [];
    for (let at = 0; at < 10; at += 1) {
      const project = await newResource(organizationId, 'project', workspace.id);
      for (let of = 0; of < 3; of += 1) apps.push((await newResource(organizationId, 'app', project.id)).id);
    }
    const member = await newMember(organizationId);
    await assign(member, 'reader', apps[0] ?? '');
    await assign(member, 'reader', apps[29] ?? '');
    expect(await check(member, 'app:read', apps[0] ?? '')).toBe(true);
    expect((await call('DELETE', `/authorization/resources/${workspace.id}?cascade_delete=true`)).status).toBe(204);
    await idle();
    for (const id of apps) expect((await call('GET', `/authorization/resources/${id}`)).status).toBe(404);
    const list = `/authorization/organization_memberships/${member}/role_assignments?order=asc`;
    expect((await call<{ data: unknown[] }>('GET', list)).body.data).toHaveLength(1);
  });

  test('releases the external id, and assignments on the deleted resource have no effect on a new one', async () => {
    const { organizationId, membershipId } = await newWorld();
    await newPermission('project:read', 'project');
    await newRole('lead', 'project', ['project:read']);
    const former = await newResource(organizationId, 'project', undefined, 'one');
    await assign(membershipId, 'lead', former.id);
    await call('DELETE', `/authorization/resources/${former.id}?cascade_delete=true`);
    const next = await newResource(organizationId, 'project', undefined, 'one');
    expect(next.id).not.toBe(former.id);
    expect(await check(membershipId, 'project:read', next.id)).toBe(false);
    expect(await check(membershipId, 'project:read', former.id)).toBe(404);
  });
});

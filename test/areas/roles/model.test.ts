import { beforeEach, describe, expect, test } from '@jest/globals';

import { addTypes } from '../../support/resource-types.ts';
import { call, idle, reset, sdk } from '../../support/service.ts';

interface EventEntry {
  event: string;
  data: Record<string, unknown>;
  context?: { previous_attributes?: Record<string, unknown> };
}

const readEvents = async (...names: string[]): Promise<EventEntry[]> => {
  await idle();
  const path = `/events?events=${names.join(',')}&order=asc&limit=100`;
  return (await call<{ data: EventEntry[] }>('GET', path)).body.data;
};

const permission = (slug: string, resource_type_slug?: string) =>
  call<{ id: string }>('POST', '/authorization/permissions', { slug, name: slug, resource_type_slug });

beforeEach(() => reset());

describe('permissions', () => {
  test('are created, read, listed in pages, updated and deleted through the official SDK', async () => {
    const { authorization } = sdk();
    const created = await authorization.createPermission({ slug: 'documents:*', name: 'All documents' });
    expect(created).toMatchObject({ slug: 'documents:*', system: false, resourceTypeSlug: 'organization' });
    expect(await authorization.getPermission('documents:*')).toEqual(created);
    const renamed = await authorization.updatePermission('documents:*', { name: 'Documents', description: 'All' });
    expect(renamed).toMatchObject({ id: created.id, name: 'Documents', description: 'All' });
    const listed = await (await authorization.listPermissions()).autoPagination();
    expect(listed).toHaveLength(8);
    const first = await authorization.listPermissions({ limit: 3 });
    const second = await authorization.listPermissions({ limit: 100, after: first.data[2]?.id ?? '', order: 'desc' });
    expect([...first.data, ...second.data].map(({ id }) => id).toSorted()).toEqual(
      listed.map(({ id }) => id).toSorted(),
    );
    await authorization.deletePermission('documents:*');
    await expect(authorization.getPermission('documents:*')).rejects.toMatchObject({ status: 404 });
    expect(await call('GET', '/authorization/permissions/documents:*')).toMatchObject({
      status: 404,
      body: { message: expect.stringContaining('Check the slug') },
    });
    expect(await readEvents('permission.created', 'permission.updated', 'permission.deleted')).toMatchObject([
      { event: 'permission.created', data: { id: created.id } },
      { event: 'permission.updated', context: { previous_attributes: { name: 'All documents', description: null } } },
      { event: 'permission.deleted', data: { id: created.id, name: 'Documents' } },
    ]);
  });

  test('of the service exist in every environment and cannot be changed or deleted', async () => {
    const path = '/authorization/permissions/widgets:users-table:manage';
    const { body } = await call('GET', path);
    expect(body).toMatchObject({ system: true, slug: 'widgets:users-table:manage' });
    const rejected = { status: 403, body: { code: 'system_permission' } };
    expect(await call('PATCH', path, { name: 'Mine' })).toMatchObject(rejected);
    expect(await call('DELETE', path)).toMatchObject(rejected);
    expect((await permission('documents:read')).status).toBe(201);
    expect((await call('GET', path)).body).toEqual(body);
  });

  test('are listed for one resource type in pages, and an unknown type is not found', async () => {
    await addTypes({ project: ['organization'] });
    for (const slug of ['project:read', 'project:edit']) await permission(slug, 'project');
    const list = (query: string) =>
      call<{ data: { slug: string }[]; list_metadata: { after: string | null } }>(
        'GET',
        `/authorization/permissions?${query}`,
      );
    const first = await list('resource_type_slug=project&order=asc&limit=1');
    expect(first.body.data).toMatchObject([{ slug: 'project:read' }]);
    const next = await list(`resource_type_slug=project&order=asc&after=${first.body.list_metadata.after ?? ''}`);
    expect(next.body).toMatchObject({ data: [{ slug: 'project:edit' }], list_metadata: { after: null } });
    expect((await list('resource_type_slug=organization')).body.data).toHaveLength(7);
    expect(await list('resource_type_slug=planet')).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect(await list('resource_type_slug=Planet%20X')).toMatchObject({ status: 422 });
  });

  test('cannot have an existing or invalid slug, or an unknown type', async () => {
    await permission('documents:read');
    expect(await permission('documents:read')).toMatchObject({
      status: 409,
      body: { code: 'permission_slug_conflict' },
    });
    expect((await permission('widgets:pipes:manage')).status).toBe(409);
    for (const slug of ['Documents', 'a b', 'a/b', 'é', '😀', '\uffff', '..', '', 'x'.repeat(49), null]) {
      expect((await call('POST', '/authorization/permissions', { slug, name: 'x' })).status).toBe(422);
    }
    expect(await permission('apps:read', 'app')).toMatchObject({
      status: 404,
      body: { code: 'not_found', message: expect.stringContaining('resource_type_slug') },
    });
  });

  test('emit no event for an update that changes nothing', async () => {
    const { body } = await permission('documents:read');
    const response = await call('PATCH', '/authorization/permissions/documents:read', { name: 'documents:read' });
    expect(response.body).toEqual(body);
    expect(await readEvents('permission.updated')).toEqual([]);
  });

  test('are all created by ten parallel calls, and only one if all use the same slug', async () => {
    const many = await Promise.all(Array.from({ length: 5 }, (_, at) => permission(`p:${at}`)));
    const made = many.filter(({ status }) => status === 201).length;
    for (const { status } of many) expect([201, 503]).toContain(status);
    const same = await Promise.all(Array.from({ length: 4 }, () => permission('same')));
    expect(same.filter(({ status }) => status === 201)).toHaveLength(1);
    const { body } = await call<{ data: unknown[] }>('GET', '/authorization/permissions?limit=100');
    expect(body.data).toHaveLength(7 + made + 1);
  });
});

describe('roles of the environment', () => {
  test('include member and admin at first, and are created, changed and listed in order through the official SDK', async () => {
    const { authorization } = sdk();
    const first = await authorization.listEnvironmentRoles();
    expect(first.data.map(({ slug }) => slug)).toEqual(['member', 'admin']);
    await permission('documents:read');
    await permission('documents:edit');
    const editor = await authorization.createEnvironmentRole({ slug: 'editor', name: 'Editor' });
    expect(editor).toMatchObject({ type: 'EnvironmentRole', permissions: [], resourceTypeSlug: 'organization' });
    await authorization.setEnvironmentRolePermissions('editor', { permissions: ['documents:edit'] });
    const both = await authorization.addEnvironmentRolePermission('editor', { permissionSlug: 'documents:read' });
    expect(both.permissions).toEqual(['documents:edit', 'documents:read']);
    await authorization.addEnvironmentRolePermission('editor', { permissionSlug: 'documents:read' });
    await authorization.updateEnvironmentRole('editor', { name: 'Writer', description: null });
    const listed = await authorization.listEnvironmentRoles();
    expect(listed.data.map(({ slug }) => slug)).toEqual(['member', 'admin', 'editor']);
    expect(listed.data.slice(0, 2).map(({ id }) => id)).toEqual(first.data.map(({ id }) => id));
    expect(await authorization.getEnvironmentRole('editor')).toMatchObject({ id: editor.id, name: 'Writer' });
    expect(await readEvents('role.created', 'role.updated')).toMatchObject([
      { event: 'role.created', data: { slug: 'editor', permissions: [] } },
      { event: 'role.updated', context: { previous_attributes: { permissions: [] } } },
      { event: 'role.updated', context: { previous_attributes: { permissions: ['documents:edit'] } } },
      { event: 'role.updated', context: { previous_attributes: { name: 'Editor' } } },
    ]);
  });

  test('reject unknown permissions by name, and slugs that have the prefix of organization roles', async () => {
    await permission('documents:read');
    const path = '/authorization/roles/member/permissions';
    const { status, body } = await call('PUT', path, { permissions: ['documents:read', 'documents:reed'] });
    expect(status).toBe(422);
    expect(JSON.stringify(body)).toContain('documents:reed');
    expect((await call('POST', path, { slug: 'documents:reed' })).status).toBe(422);
    expect((await call('GET', '/authorization/roles/member')).body).toMatchObject({ permissions: [] });
    expect((await call('POST', '/authorization/roles', { slug: 'org-x', name: 'x' })).status).toBe(422);
    const again = await call('POST', '/authorization/roles', { slug: 'admin', name: 'x' });
    expect(again).toMatchObject({ status: 409, body: { code: 'role_slug_conflict' } });
  });

  test('lose a deleted permission, and do not regain it when a new permission gets its slug', async () => {
    await permission('documents:read');
    await call('POST', '/authorization/roles/member/permissions', { slug: 'documents:read' });
    await call('DELETE', '/authorization/permissions/documents:read');
    expect((await call('GET', '/authorization/roles/member')).body).toMatchObject({ permissions: [] });
    await permission('documents:read');
    expect((await call('GET', '/authorization/roles/member')).body).toMatchObject({ permissions: [] });
  });
});

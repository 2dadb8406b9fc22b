import { beforeEach, describe, expect, test } from '@jest/globals';

import { call, idle, reset, sdk } from '../../support/service.ts';

interface Roles {
  data: { slug: string }[];
}

const MEMBERSHIPS = '/user_management/organization_memberships';

let organization = '';

beforeEach(async () => {
  await reset();
  organization = (await call<{ id: string }>('POST', '/organizations', { name: 'Acme' })).body.id;
});

const slugs = ({ body }: { body: Roles }): string[] => body.data.map(({ slug }) => slug);
const roles = (): string => `/authorization/organizations/${organization}/roles`;

const join = async (email: string, role_slugs?: string[]): Promise<string> => {
  const user = await call<{ id: string }>('POST', '/user_management/users', { email });
  const body = { user_id: user.body.id, organization_id: organization, role_slugs };
  const made = await call<{ id: string }>('POST', MEMBERSHIPS, body);
  expect(made.status).toBe(201);
  return made.body.id;
};

describe('the priority order of roles', () => {
  test('of the environment begins with the roles that were set, and the other roles follow', async () => {
    await call('POST', '/authorization/roles', { slug: 'owner', name: 'Owner' });
    const set = await call<Roles>('PUT', '/x/authorization/roles/priority', { role_slugs: ['owner', 'admin'] });
    expect(slugs(set)).toEqual(['owner', 'admin', 'member']);
    expect(slugs(await call<Roles>('GET', '/authorization/roles'))).toEqual(['owner', 'admin', 'member']);
    const unknown = await call('PUT', '/x/authorization/roles/priority', { role_slugs: ['nothing'] });
    expect(unknown).toMatchObject({ status: 422, body: { errors: [{ field: 'role_slugs' }] } });
  });

  test('of an organization with a role of its own is separate from the environment’s', async () => {
    await call('POST', roles(), { slug: 'org-editor', name: 'Editor' });
    await call('PUT', '/x/authorization/roles/priority', { role_slugs: ['admin', 'member'] });
    expect(slugs(await call<Roles>('GET', roles()))).toEqual(['member', 'admin', 'org-editor']);
    const set = await call<Roles>('PUT', `${roles()}/priority`, { role_slugs: ['org-editor', 'admin'] });
    expect(slugs(set)).toEqual(['org-editor', 'admin', 'member']);
    expect(slugs(await call<Roles>('GET', roles()))).toEqual(['org-editor', 'admin', 'member']);
    const other = (await call<{ id: string }>('POST', '/organizations', { name: 'Other' })).body.id;
    const path = `/authorization/organizations/${other}/roles/priority`;
    expect((await call('PUT', path, { role_slugs: ['org-editor'] })).status).toBe(422);
    expect(
      (await call('PUT', '/authorization/organizations/org_x/roles/priority', { role_slugs: ['admin'] })).status,
    ).toBe(404);
  });
});

describe('the default role', () => {
  test('is given to memberships that name no role; the organization’s default overrides the environment’s', async () => {
    await call('PUT', '/x/authorization/default_role', { role_slug: 'admin' });
    expect((await call('GET', `${MEMBERSHIPS}/${await join('a@example.com')}`)).body).toMatchObject({
      role: { slug: 'admin' },
    });
    await call('POST', roles(), { slug: 'org-guest', name: 'Guest' });
    const path = `/x/authorization/organizations/${organization}/default_role`;
    expect((await call('PUT', path, { role_slug: 'org-guest' })).status).toBe(200);
    const lowestRole = await join('b@example.com');
    expect((await call('GET', `${MEMBERSHIPS}/${lowestRole}`)).body).toMatchObject({ role: { slug: 'org-guest' } });
    await call('DELETE', `${MEMBERSHIPS}/${lowestRole}`);
    expect(await call('DELETE', `${roles()}/org-guest`)).toMatchObject({ status: 400, body: { code: 'bad_request' } });
    expect((await call('PUT', path, { role_slug: 'nothing' })).status).toBe(422);
  });
});

describe('a deleted role of the environment', () => {
  test('is replaced in its memberships, with an event for each, and the default role and `member` cannot be deleted', async () => {
    await call('POST', '/authorization/roles', { slug: 'owner', name: 'Owner' });
    await call('POST', '/authorization/roles', { slug: 'boss', name: 'Boss' });
    const [one, both] = [await join('a@example.com', ['owner']), await join('b@example.com', ['owner', 'admin'])];
    await idle();
    expect((await call('DELETE', '/x/authorization/roles/owner?replacement=nothing')).status).toBe(422);
    expect((await call('DELETE', '/x/authorization/roles/owner?replacement=boss')).status).toBe(204);
    expect((await call('GET', '/authorization/roles/owner')).status).toBe(404);
    await idle();
    expect((await call('GET', `${MEMBERSHIPS}/${one}`)).body).toMatchObject({ roles: [{ slug: 'boss' }] });
    expect((await call('GET', `${MEMBERSHIPS}/${both}`)).body).toMatchObject({
      roles: [{ slug: 'admin' }, { slug: 'boss' }],
    });
    const events = '/events?events=role.deleted,organization_membership.updated&limit=100';
    expect((await call<{ data: object[] }>('GET', events)).body.data).toHaveLength(3);
    expect((await call('DELETE', '/x/authorization/roles/member')).status).toBe(400);
    await call('PUT', '/x/authorization/default_role', { role_slug: 'boss' });
    expect((await call('DELETE', '/x/authorization/roles/boss')).status).toBe(400);
    expect((await call('DELETE', '/x/authorization/roles/owner')).status).toBe(404);
  });

  test('on resources below the organization has no replacement, since only roles of memberships are replaced', async () => {
    const { body: model } = await call<Record<string, object[]>>('GET', '/x/authorization/model');
    const [resource_type_slug, parents] = ['project', ['organization']];
    const added = ['reader', 'editor'].map((slug) => ({ slug, name: slug, resource_type_slug }));
    const changed = {
      ...model,
      resource_types: [{ slug: resource_type_slug, name: 'Project', parents }],
      roles: [...(model.roles ?? []), ...added],
    };
    expect((await call('PUT', '/x/authorization/model', changed)).status).toBe(200);
    for (const replacement of ['editor', 'admin']) {
      expect(await call('DELETE', `/x/authorization/roles/reader?replacement=${replacement}`)).toMatchObject({
        status: 422,
        body: { errors: [{ field: 'replacement' }] },
      });
    }
    expect((await call('DELETE', '/x/authorization/roles/admin?replacement=editor')).status).toBe(422);
    expect((await call('DELETE', '/x/authorization/roles/reader')).status).toBe(204);
  });
});

describe('roles of an organization', () => {
  test('are created, changed and deleted through the official SDK; roles of the environment are only shown', async () => {
    const { authorization } = sdk();
    await authorization.createPermission({ slug: 'documents:read', name: 'Read' });
    const made = await authorization.createOrganizationRole(organization, { name: 'Über-Editor 😀' });
    expect(made.slug).toMatch(/^org-uber-editor-[a-z0-9]{6}$/);
    const { slug } = made;
    expect(
      await authorization.setOrganizationRolePermissions(organization, slug, { permissions: ['documents:read'] }),
    ).toMatchObject({
      permissions: ['documents:read'],
      type: 'OrganizationRole',
    });
    await authorization.updateOrganizationRole(organization, slug, { description: 'Writes' });
    await authorization.removeOrganizationRolePermission(organization, slug, { permissionSlug: 'documents:read' });
    const { data } = await authorization.listOrganizationRoles(organization);
    expect(data.map((role) => role.type)).toEqual(['EnvironmentRole', 'EnvironmentRole', 'OrganizationRole']);
    expect(await call('PATCH', `${roles()}/admin`, { name: 'x' })).toMatchObject({
      status: 400,
      body: { code: 'bad_request' },
    });
    const rejected = { status: 400, body: { code: 'bad_request' } };
    expect(await call('DELETE', `${roles()}/admin`)).toMatchObject(rejected);
    expect(await call('DELETE', `${roles()}/admin/permissions/documents:read`)).toMatchObject(rejected);
    expect(await call('PUT', `${roles()}/admin/permissions`, { permissions: [] })).toMatchObject(rejected);
    expect((await call('DELETE', `${roles()}/${slug}/permissions/documents:read`)).status).toBe(404);
    expect(await call('POST', roles(), { slug, name: 'x' })).toMatchObject({
      status: 409,
      body: { code: 'organization_role_slug_conflict' },
    });
    expect((await call('POST', roles(), { slug: 'editor', name: 'x' })).status).toBe(422);
    await authorization.deleteOrganizationRole(organization, slug);
    await idle();
    const events =
      '/events?events=organization_role.created,organization_role.updated,organization_role.deleted&order=asc';
    const { body } = await call<{ data: { event: string }[] }>('GET', events);
    expect(body.data.map(({ event }) => event.split('.')[1])).toEqual([
      'created',
      'updated',
      'updated',
      'updated',
      'deleted',
    ]);
  });

  test('are limited to 100, and a role to 250 permissions', async () => {
    const made = await call('POST', roles(), { slug: 'org-0', name: 'x' });
    expect(made.status).toBe(201);
    for (let at = 1; at < 100; at += 1) await call('POST', roles(), { slug: `org-${at}`, name: 'x' });
    const last = slugs(await call<Roles>('GET', roles()));
    const missing = Array.from({ length: 100 }, (_, at) => `org-${at}`).filter((slug) => !last.includes(slug));
    for (const slug of missing) await call('POST', roles(), { slug, name: 'x' });
    const { status, body } = await call('POST', roles(), { slug: 'org-100', name: 'x' });
    expect(status).toBe(422);
    expect(JSON.stringify(body)).toContain('100');
    const permissions = Array.from({ length: 251 }, (_, at) => ({ slug: `p:${at}`, name: 'P' }));
    const model = {
      roles: [
        { slug: 'member', name: 'Member' },
        { slug: 'admin', name: 'Admin' },
      ],
      permissions,
    };
    expect((await call('PUT', '/x/authorization/model', model)).status).toBe(200);
    const all = permissions.map(({ slug }) => slug);
    expect(
      (await call('PUT', '/authorization/roles/admin/permissions', { permissions: all.slice(0, 250) })).status,
    ).toBe(200);
    const more = await call('POST', '/authorization/roles/admin/permissions', { slug: 'p:250' });
    expect(more.status).toBe(422);
    expect(JSON.stringify(more.body)).toContain('250');
  });
});

import { beforeEach, describe, expect, test } from '@jest/globals';
import { decodeJwt } from 'jose';

import { addTypes } from '../../support/resource-types.ts';
import { call, idle, reset, sdk, service } from '../../support/service.ts';

const PASSWORD = 'quiet-Lantern-84-under-oak';

interface Claims {
  role?: string;
  roles?: string[];
  permissions?: string[];
  permissions_omitted?: boolean;
  [claim: string]: unknown;
}

let organization = '';
let email = '';
let user = '';

const roles = (): string => `/authorization/organizations/${organization}/roles`;

beforeEach(async () => {
  await reset();
  organization = (await call<{ id: string }>('POST', '/organizations', { name: 'Acme' })).body.id;
  email = 'ada@example.com';
  const made = await call<{ id: string }>('POST', '/user_management/users', {
    email,
    password: PASSWORD,
    email_verified: true,
  });
  expect(made).toMatchObject({ status: 201 });
  user = made.body.id;
});

const permission = async (slug: string): Promise<void> => {
  expect((await call('POST', '/authorization/permissions', { slug, name: slug })).status).toBe(201);
};

const organizationRole = async (slug: string, permissions: string[] = []): Promise<void> => {
  expect((await call('POST', roles(), { slug, name: slug })).status).toBe(201);
  expect((await call('PUT', `${roles()}/${slug}/permissions`, { permissions })).status).toBe(200);
};

const join = async (role_slugs?: string[]): Promise<string> => {
  const body = { user_id: user, organization_id: organization, role_slugs };
  const response = await call<{ id: string }>('POST', '/user_management/organization_memberships', body);
  expect(response.status).toBe(201);
  return response.body.id;
};

const readClaims = (token: string): Claims => decodeJwt(token);

const signIn = async () => {
  const { clientId } = await service();
  return sdk().userManagement.authenticateWithPassword({ clientId, email, password: PASSWORD });
};

describe('an access token', () => {
  test('has the current roles in their order and their permissions after each sign-in and refresh', async () => {
    for (const slug of ['documents:read', 'documents:edit', 'reports:read']) await permission(slug);
    await call('PUT', '/authorization/roles/member/permissions', { permissions: ['documents:read'] });
    await organizationRole('org-editor', ['documents:read', 'documents:edit']);
    await join(['org-editor', 'member']);
    const { accessToken, refreshToken } = await signIn();
    expect(readClaims(accessToken)).toMatchObject({
      role: 'member',
      roles: ['member', 'org-editor'],
      permissions: ['documents:edit', 'documents:read'],
    });
    await call('PUT', `${roles()}/org-editor/permissions`, { permissions: ['reports:read'] });
    await call('DELETE', '/authorization/permissions/documents:read');
    const { clientId } = await service();
    const refreshed = await sdk().userManagement.authenticateWithRefreshToken({ clientId, refreshToken });
    expect(readClaims(refreshed.accessToken).permissions).toEqual(['reports:read']);
  });

  test('omits the claim if there are no permissions', async () => {
    await join();
    const claims = readClaims((await signIn()).accessToken);
    expect(claims).toMatchObject({ role: 'member', roles: ['member'] });
    expect(claims).not.toHaveProperty('permissions');
    expect(claims).not.toHaveProperty('permissions_omitted');
  });

  test('has all permissions or none: above 2,048 bytes it reports that they are omitted, and the sign-in succeeds', async () => {
    const slugs = Array.from({ length: 45 }, (_, at) => `p${String(at).padStart(2, '0')}${'x'.repeat(41)}`);
    for (const slug of slugs) await permission(slug);
    const path = '/authorization/roles/member/permissions';
    await join();
    // 43 names of 44 characters with quotes and commas take 2,022 bytes; 44 take 2,069.
    await call('PUT', path, { permissions: slugs.slice(0, 43) });
    expect(readClaims((await signIn()).accessToken).permissions).toEqual(slugs.slice(0, 43));
    await call('PUT', path, { permissions: slugs.slice(0, 44) });
    const claims = readClaims((await signIn()).accessToken);
    expect(claims).toMatchObject({ role: 'member', permissions_omitted: true });
    expect(claims).not.toHaveProperty('permissions');
  });

  test('can contain the membership’s id through a template', async () => {
    const id = await join();
    const content = '{"membership": "{{ organization_membership.id }}"}';
    expect((await call('PUT', '/user_management/jwt_template', { content })).status).toBe(200);
    expect(readClaims((await signIn()).accessToken)).toMatchObject({ membership: id });
  });

  test('has only the role of the highest priority if the environment disables multiple roles', async () => {
    await join(['admin', 'member']);
    await call('PUT', '/x/user-management/settings', { multiple_roles: false });
    expect(readClaims((await signIn()).accessToken)).toMatchObject({ role: 'member', roles: ['member'] });
  });
});

describe('a role of an organization', () => {
  test('cannot be assigned in another organization, and a role for resources cannot be assigned to a membership', async () => {
    const other = (await call<{ id: string }>('POST', '/organizations', { name: 'Other' })).body.id;
    await call('POST', `/authorization/organizations/${other}/roles`, { slug: 'org-other', name: 'Other' });
    const body = { user_id: user, organization_id: organization, role_slug: 'org-other' };
    expect(await call('POST', '/user_management/organization_memberships', body)).toMatchObject({
      status: 422,
      body: { code: 'invalid_role', role_slug: 'org-other' },
    });
    await addTypes({ project: ['organization'] });
    const role = { slug: 'project-editor', name: 'Editor', resource_type_slug: 'project' };
    expect((await call('POST', '/authorization/roles', role)).status).toBe(201);
    const rejected = { status: 422, body: { code: 'sub_resource_scoped_role_not_allowed', role_slug: role.slug } };
    const path = '/user_management/organization_memberships';
    expect(await call('POST', path, { ...body, role_slug: role.slug })).toMatchObject(rejected);
    const made = await call<{ id: string }>('POST', path, { ...body, role_slug: 'member' });
    expect(await call('PUT', `${path}/${made.body.id}`, { role_slugs: [role.slug] })).toMatchObject(rejected);
    expect((await call('GET', `${path}/${made.body.id}`)).body).toMatchObject({ roles: [{ slug: 'member' }] });
  });

  test('can be deleted only if no membership has it', async () => {
    await organizationRole('org-editor');
    const id = await join(['org-editor']);
    expect(await call('DELETE', `${roles()}/org-editor`)).toMatchObject({
      status: 409,
      body: { code: 'role_has_assignments' },
    });
    await call('PUT', `/user_management/organization_memberships/${id}`, { role_slug: 'member' });
    expect((await call('DELETE', `${roles()}/org-editor`)).status).toBe(204);
    expect((await call('GET', `${roles()}/org-editor`)).status).toBe(404);
  });

  test('can be deleted after its membership was deleted', async () => {
    await organizationRole('org-editor');
    const id = await join(['org-editor']);
    await call('DELETE', `/user_management/organization_memberships/${id}`);
    expect((await call('DELETE', `${roles()}/org-editor`)).status).toBe(204);
  });

  test('can be deleted after its user was deleted', async () => {
    await organizationRole('org-editor');
    await join(['org-editor']);
    await call('DELETE', `/user_management/users/${user}`);
    await idle();
    expect((await call('DELETE', `${roles()}/org-editor`)).status).toBe(204);
  });

  test('that is assigned while it is being deleted has no effect, even after a new role gets its slug', async () => {
    await organizationRole('org-editor');
    const id = await join();
    const path = `/user_management/organization_memberships/${id}`;
    const [given, deleted] = await Promise.all([
      call('PUT', path, { role_slug: 'org-editor' }),
      call('DELETE', `${roles()}/org-editor`),
    ]);
    expect([200, 422, 503]).toContain(given.status);
    expect([204, 409, 503]).toContain(deleted.status);
    if (deleted.status !== 204) return;
    await permission('documents:read');
    await organizationRole('org-editor', ['documents:read']);
    expect(readClaims((await signIn()).accessToken)).not.toHaveProperty('permissions');
  });
});

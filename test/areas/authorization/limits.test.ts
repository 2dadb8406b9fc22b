import { beforeAll, describe, expect, test } from '@jest/globals';

import { createGrant } from '../../../functions/access/authorization/assignment/entity.ts';
import { newId } from '../../../functions/kernel/ids.ts';
import type { FunctionCounters } from '../../../lib/local/proxy/counters.ts';
import { call, reset } from '../../support/service.ts';
import { commitRows } from '../../support/user-rows.ts';
import { environment } from '../../support/users.ts';
import { assign, check, newPermission, newResource, newRole, newWorld } from './world.ts';

const MODEL = '/x/authorization/model';
const BUILT_IN = [
  { slug: 'member', name: 'Member' },
  { slug: 'admin', name: 'Admin' },
];

const numbered = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at));
const type = (at: number) => ({ slug: `type-${at}`, name: 'T', parents: ['organization'] });
const permission = (at: number) => ({ slug: `p:${at}`, name: 'P' });
const role = (at: number) => ({ slug: `role-${at}`, name: 'R' });

beforeAll(() => reset());

/** The error is a 422 that contains the maximum number. */
const oneTooMany = (most: string) => ({ status: 422, body: { message: expect.stringContaining(most) } });

describe('an authorization model', () => {
  test('has at most 50 types, 1,000 permissions and 200 roles, whether set as one document or one by one', async () => {
    const full = {
      resource_types: numbered(50, type),
      permissions: numbered(1_000, permission),
      roles: [...BUILT_IN, ...numbered(198, role)],
    };
    const put = (more: Partial<typeof full>) => call('PUT', MODEL, { ...full, ...more });
    expect(await put({ resource_types: numbered(51, type) })).toMatchObject(oneTooMany('50'));
    expect(await put({ permissions: numbered(1_001, permission) })).toMatchObject(oneTooMany('1000'));
    expect(await put({ roles: [...BUILT_IN, ...numbered(199, role)] })).toMatchObject(oneTooMany('200'));
    await call('DELETE', '/_local/counters');
    expect((await put({})).status).toBe(200);
    const { data } = (await call<{ data: Record<string, FunctionCounters> }>('GET', '/_local/counters')).body;
    // The document takes some 30 transactions of up to 90 rows. The model is read only at the beginning, after a conflict and
    // at the end.
    expect(data['roles-http']?.calls['table.TransactWriteItems']).toBeLessThan(50);
    expect(data['roles-http']?.calls['table.Query']).toBeLessThan(20);
    expect(await call('POST', '/authorization/permissions', permission(1_000))).toMatchObject(oneTooMany('1000'));
    expect(await call('POST', '/authorization/roles', role(198))).toMatchObject(oneTooMany('200'));
    const path = '/authorization/roles/admin/permissions';
    const slugs = numbered(251, (at) => `p:${at}`);
    expect(await call('PUT', path, { permissions: slugs })).toMatchObject(oneTooMany('250'));
    expect((await call('PUT', path, { permissions: slugs.slice(1) })).status).toBe(200);
    expect(await call('POST', path, { slug: 'p:0' })).toMatchObject(oneTooMany('250'));
    expect((await call('POST', path, { slug: 'p:1' })).status).toBe(200);
    expect((await call('DELETE', '/authorization/permissions/p:999')).status).toBe(204);
    expect((await call('POST', '/authorization/permissions', permission(1_000))).status).toBe(201);
  }, 60_000);
});

describe('a membership', () => {
  test('has at most 1,000 roles on resources, and its checks read only those on the path to the root', async () => {
    await reset();
    const { organizationId, membershipId } = await newWorld();
    const environmentId = await environment();
    await newPermission('project:read', 'project');
    await newRole('keeper', 'workspace', ['project:read']);
    await newRole('reader', 'project', ['project:read']);
    const roleId = (await call<{ id: string }>('GET', '/authorization/roles/reader')).body.id;
    const workspace = await newResource(organizationId, 'workspace');
    const project = await newResource(organizationId, 'project', workspace.id);
    // Writes as many rows as assignments on 999 other projects.
    const writes = numbered(999, (at) => {
      const resource = { resourceId: newId('authz_resource'), typeSlug: 'project', externalId: `other-${at}` };
      const id = newId('role_assignment');
      return createGrant({ environmentId, id, organizationId, membershipId, roleId, ...resource }).writes;
    });
    for (let at = 0; at < writes.length; at += 40) {
      await commitRows(environmentId, writes.slice(at, at + 40).flat());
    }
    expect(await check(membershipId, 'project:read', project.id)).toBe(false);
    expect((await assign(membershipId, 'keeper', workspace.id)).status).toBe(201);
    expect(await assign(membershipId, 'reader', project.id)).toMatchObject({
      status: 422,
      body: { message: expect.stringContaining('1000'), errors: [{ code: 'too_many_role_assignments' }] },
    });
    expect((await assign(membershipId, 'keeper', workspace.id)).status).toBe(201);
    expect(await check(membershipId, 'project:read', project.id)).toBe(true);
    const elsewhere = await newResource(organizationId, 'workspace');
    const move = (parent_resource_id: string) =>
      call('PATCH', `/authorization/resources/${project.id}`, { parent_resource_id });
    expect((await move(elsewhere.id)).status).toBe(200);
    expect(await check(membershipId, 'project:read', project.id)).toBe(false);
    expect((await move(workspace.id)).status).toBe(200);
    expect(await check(membershipId, 'project:read', project.id)).toBe(true);
    const path = `/authorization/organization_memberships/${membershipId}/role_assignments`;
    const taken = await call('DELETE', path, { role_slug: 'keeper', resource_id: workspace.id });
    expect(taken.status).toBe(204);
    expect(await check(membershipId, 'project:read', project.id)).toBe(false);
    expect((await assign(membershipId, 'reader', project.id)).status).toBe(201);
  }, 60_000);
});

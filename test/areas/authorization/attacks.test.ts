import { beforeEach, describe, expect, test } from '@jest/globals';

import { call, idle, reset } from '../../support/service.ts';
import { assign, check, newMember, newOrganization, newPermission, newResource, newRole, newWorld } from './world.ts';

beforeEach(async () => {
  await reset();
});

/** An organization with a project that its member may read, and another organization with a member of its own. */
async function twoOrganizations() {
  const world = await newWorld();
  await newPermission('project:read', 'project');
  await newRole('reader', 'project', ['project:read']);
  const project = await newResource(world.organizationId, 'project', undefined, 'apollo');
  const other = await newOrganization();
  return { ...world, project, other, stranger: await newMember(other) };
}

const ownResource = (organizationId: string): string => organizationId.replace('org_', 'authz_resource_');

describe('a member of another organization', () => {
  test('finds no resource by id or external id, neither in a check nor in an assignment nor in a list', async () => {
    const { organizationId, project, stranger } = await twoOrganizations();
    const base = `/authorization/organization_memberships/${stranger}`;
    for (const id of [project.id, ownResource(organizationId)]) {
      expect(await check(stranger, 'project:read', id)).toBe(404);
      expect((await assign(stranger, 'reader', id)).status).toBe(404);
      expect((await call('DELETE', `${base}/role_assignments`, { role_slug: 'reader', resource_id: id })).status).toBe(
        404,
      );
      expect((await call('GET', `${base}/role_assignments?resource_id=${id}`)).status).toBe(404);
      expect((await call('GET', `${base}/resources/${id}/permissions`)).status).toBe(404);
      const list = `${base}/resources?permission_slug=project:read&parent_resource_id=${id}`;
      expect((await call('GET', list)).status).toBe(404);
    }
    const named = { permission_slug: 'project:read', resource_external_id: 'apollo', resource_type_slug: 'project' };
    expect((await call('POST', `${base}/check`, named)).status).toBe(404);
    const organization = { ...named, resource_external_id: organizationId, resource_type_slug: 'organization' };
    expect((await call('POST', `${base}/check`, organization)).status).toBe(404);
  });

  test('cannot remove an assignment by its id', async () => {
    const { membershipId, project, stranger } = await twoOrganizations();
    const { id } = (await assign(membershipId, 'reader', project.id)).body;
    const path = `/authorization/organization_memberships/${stranger}/role_assignments/${id}`;
    expect((await call('DELETE', path)).status).toBe(404);
    expect(await check(membershipId, 'project:read', project.id)).toBe(true);
  });

  test('gets the same response as for missing records', async () => {
    const { project, stranger } = await twoOrganizations();
    const path = `/authorization/organization_memberships/${stranger}/check`;
    const bodies = [
      { permission_slug: 'project:read', resource_id: project.id },
      { permission_slug: 'project:read', resource_id: 'authz_resource_01JX0000000000000000000000' },
      { permission_slug: 'unknown', resource_id: project.id },
    ];
    const responses = await Promise.all(bodies.map((body) => call('POST', path, body)));
    const missing = await call('POST', '/authorization/organization_memberships/om_none/check', bodies[0]);
    for (const { status, body } of [...responses, missing]) expect([status, body]).toEqual([404, missing.body]);
  });
});

describe('a role assignment whose role or permission was deleted', () => {
  test('has no effect on a new role or permission with the same slug', async () => {
    const { membershipId, project } = await twoOrganizations();
    await assign(membershipId, 'reader', project.id);
    expect(await check(membershipId, 'project:read', project.id)).toBe(true);
    expect((await call('DELETE', '/authorization/permissions/project:read')).status).toBe(204);
    expect(await check(membershipId, 'project:read', project.id)).toBe(404);
    await newPermission('project:read', 'project');
    expect(await check(membershipId, 'project:read', project.id)).toBe(false);
  });

  test('does not treat a star in a permission as a wildcard', async () => {
    const { membershipId, project } = await twoOrganizations();
    await newPermission('project:*', 'project');
    await newRole('all', 'project', ['project:*']);
    await assign(membershipId, 'all', project.id);
    expect(await check(membershipId, 'project:*', project.id)).toBe(true);
    expect(await check(membershipId, 'project:read', project.id)).toBe(false);
  });
});

describe('a crafted value', () => {
  test('used as an id or slug finds no other row', async () => {
    const { organizationId, membershipId, project, other } = await twoOrganizations();
    const paths = [
      `/authorization/organizations/${organizationId}%23project/resources/apollo/x`,
      `/authorization/organizations/${other}/resources/project/apollo`,
      `/authorization/organizations/${organizationId}/resources/project%23apollo/x`,
      `/authorization/organizations/${organizationId}/resources/organization/${other}`,
      `/authorization/resources/${project.id}%23x/role_assignments`,
      '/authorization/resources/authz_resource_/role_assignments',
      `/authorization/organization_memberships/${membershipId}%23x/role_assignments`,
    ];
    for (const path of paths) expect([path, (await call('GET', path)).status]).toEqual([path, 404]);
    const twice = {
      permission_slug: 'project:read',
      resource_id: project.id,
      resource_external_id: 'apollo',
      resource_type_slug: 'project',
    };
    const path = `/authorization/organization_memberships/${membershipId}/check`;
    expect((await call('POST', path, twice)).status).toBe(422);
    expect((await call('POST', path, { permission_slug: 'project:read' })).status).toBe(422);
    expect((await call('POST', path, { ...twice, resource_id: null, resource_type_slug: null })).status).toBe(422);
  });

  test.each(['role_assignment_', 'role_assignment_01JX', 'om_01JX0000000000000000000000', '%00', 'x'.repeat(2_000)])(
    'as a cursor is rejected: %s',
    async (cursor) => {
      const { membershipId, project } = await twoOrganizations();
      const lists = [
        `/authorization/organization_memberships/${membershipId}/role_assignments?after=${cursor}`,
        `/authorization/resources/${project.id}/role_assignments?before=${cursor}`,
      ];
      for (const path of lists) expect((await call('GET', path)).status).toBe(422);
    },
  );

  test('that is a cursor of another list reveals nothing about that list', async () => {
    const { organizationId, membershipId, project, other, stranger } = await twoOrganizations();
    const foreign = await newResource(other, 'project');
    const made = await assign(stranger, 'reader', foreign.id);
    await assign(membershipId, 'reader', project.id);
    await idle();
    const list = `/authorization/resources/${project.id}/role_assignments?order=asc&before=${made.body.id}`;
    expect(JSON.stringify((await call('GET', list)).body)).not.toContain(stranger);
    const resources = `/authorization/resources?organization_id=${organizationId}&order=desc&after=${foreign.id}`;
    expect(JSON.stringify((await call('GET', resources)).body)).not.toContain(foreign.id);
  });

  test('with any characters causes no 500', async () => {
    const { organizationId, membershipId, project } = await twoOrganizations();
    for (const text of ['\u{1F511}', '\uFFFF', 'x'.repeat(65_536), '__proto__', '%', '\u0000']) {
      const named = { organization_id: organizationId, resource_type_slug: 'project', external_id: 'x' };
      const made = await call('POST', '/authorization/resources', { ...named, name: text, description: text });
      expect(made.status).toBeLessThan(500);
      if (made.status === 201) await call('DELETE', `/authorization/resources/${String(made.body.id)}`);
      expect(await check(membershipId, text, project.id)).toBeGreaterThanOrEqual(404);
      expect(await check(membershipId, 'project:read', text)).toBeGreaterThanOrEqual(404);
      expect(await check(text, 'project:read', project.id)).toBeGreaterThanOrEqual(400);
    }
  });
});

describe('parallel calls', () => {
  test('that move one resource leave it below exactly one of the parents', async () => {
    const { organizationId } = await twoOrganizations();
    const parents: string[] = [];
    for (let at = 0; at < 4; at += 1) parents.push((await newResource(organizationId, 'workspace')).id);
    const { id } = await newResource(organizationId, 'project', parents[0]);
    await Promise.all(
      parents.map((parent) => call('PATCH', `/authorization/resources/${id}`, { parent_resource_id: parent })),
    );
    const { parent_resource_id: parent } = (
      await call<{ parent_resource_id: string }>('GET', `/authorization/resources/${id}`)
    ).body;
    for (const each of parents) {
      const list = `/authorization/resources?organization_id=${organizationId}&parent_resource_id=${each}`;
      const { data } = (await call<{ data: { id: string }[] }>('GET', list)).body;
      expect(data.map((child) => child.id)).toEqual(each === parent ? [id] : []);
    }
  });

  test('that create resources with one external id create one', async () => {
    const { organizationId } = await twoOrganizations();
    const body = { organization_id: organizationId, resource_type_slug: 'project', external_id: 'one', name: 'One' };
    const responses = await Promise.all(
      Array.from({ length: 6 }, () => call('POST', '/authorization/resources', body)),
    );
    expect(responses.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409, 409, 409]);
  });

  test('that assign the same role create one assignment, which all of them return', async () => {
    const { membershipId, project } = await twoOrganizations();
    const responses = await Promise.all(Array.from({ length: 5 }, () => assign(membershipId, 'reader', project.id)));
    expect(new Set(responses.map(({ status, body }) => `${status} ${body.id}`)).size).toBe(1);
  });
});

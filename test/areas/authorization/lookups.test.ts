import { beforeEach, describe, expect, test } from '@jest/globals';

import { ask } from '../../../functions/access/authorization/check/ask.ts';
import type { Named } from '../../../functions/access/authorization/resource/schema.ts';
import { call, idle, reset, sdk } from '../../support/service.ts';
import { environment } from '../../support/users.ts';
import { assign, check, newMember, newOrganization, newPermission, newResource, newRole, newWorld } from './world.ts';

interface Listed {
  data: { id: string; organization_membership_id?: string }[];
  list_metadata: { before: string | null; after: string | null };
}

/** All ids of a list, read in pages. */
async function allIds(path: string, limit = 2): Promise<string[]> {
  const ids: string[] = [];
  for (let after: string | null = ''; after !== null;) {
    const cursor: string = after === '' ? '' : `&after=${after}`;
    const { status, body } = await call<Listed>('GET', `${path}&limit=${limit}&order=asc${cursor}`);
    if (status !== 200) throw new Error(`${path} responded ${status}: ${JSON.stringify(body)}`);
    ids.push(...body.data.map(({ id }) => id));
    after = body.list_metadata.after;
  }
  return ids;
}

const ownResource = (organizationId: string): string => organizationId.replace('org_', 'authz_resource_');

beforeEach(async () => {
  await reset();
});

async function tree() {
  const world = await newWorld();
  const { organizationId } = world;
  await newPermission('project:read', 'project');
  await newRole('keeper', 'workspace', ['project:read']);
  await newRole('reader', 'project', ['project:read']);
  const workspace = await newResource(organizationId, 'workspace');
  const projects: string[] = [];
  for (let at = 0; at < 5; at += 1) projects.push((await newResource(organizationId, 'project', workspace.id)).id);
  return { ...world, workspace: workspace.id, projects };
}

describe('the resources of a member', () => {
  test('are the children of the parent on which a check permits access, in pages', async () => {
    const { membershipId, workspace, projects, organizationId } = await tree();
    const list = `/authorization/organization_memberships/${membershipId}/resources?permission_slug=project:read`;
    const below = `${list}&parent_resource_id=${workspace}`;
    expect(await allIds(below)).toEqual([]);
    for (const at of [0, 2, 3]) await assign(membershipId, 'reader', projects[at] ?? '');
    await assign(membershipId, 'reader', (await newResource(organizationId, 'project')).id);
    expect(await allIds(below, 1)).toEqual([projects[0], projects[2], projects[3]]);
    for (const id of projects) {
      expect(await check(membershipId, 'project:read', id)).toBe([0, 2, 3].map((at) => projects[at]).includes(id));
    }
    await assign(membershipId, 'keeper', workspace);
    expect(await allIds(below)).toEqual(projects);
    expect(await call('GET', list)).toMatchObject({ status: 400, body: { code: 'bad_request' } });
    expect((await call('GET', `${list}&parent_resource_id=${ownResource(await newOrganization())}`)).status).toBe(404);
  });

  test('are an empty list if the member is inactive', async () => {
    const { organizationId, workspace } = await tree();
    const id = await newMember(organizationId, 'inactive');
    await assign(id, 'keeper', workspace);
    const list = `/authorization/organization_memberships/${id}/resources?permission_slug=project:read`;
    expect(await allIds(`${list}&parent_resource_id=${workspace}`)).toEqual([]);
  });
});

describe('the members with access to a resource', () => {
  test('are those with a role on it, or with `indirect` all members with access, in pages', async () => {
    const { organizationId, membershipId, workspace, projects } = await tree();
    const [project = ''] = projects;
    const others: string[] = [];
    for (let at = 0; at < 4; at += 1) others.push(await newMember(organizationId));
    const inactive = await newMember(organizationId, 'inactive');
    await assign(membershipId, 'keeper', workspace);
    for (const id of [others[0], others[2], others[3], inactive]) await assign(id ?? '', 'reader', project);
    await assign(others[3] ?? '', 'keeper', workspace);
    const list = `/authorization/resources/${project}/organization_memberships?permission_slug=project:read`;
    expect(await allIds(list, 1)).toEqual([others[0], others[2], others[3]]);
    expect(await allIds(`${list}&assignment=indirect`, 2)).toEqual([membershipId, others[0], others[2], others[3]]);
    const { data } = await sdk().authorization.listMembershipsForResource({
      resourceId: project,
      permissionSlug: 'project:read',
      assignment: 'indirect',
    });
    expect(data.map(({ id }) => id).toSorted()).toEqual([membershipId, others[0], others[2], others[3]].toSorted());
    expect((await call('GET', list.replace('project:read', 'unknown'))).status).toBe(404);
  });
});

describe('the role assignments', () => {
  test('of a member show its roles at the organization and on resources, and can be removed by id', async () => {
    const { organizationId, membershipId, workspace, projects } = await tree();
    const made = await assign(membershipId, 'keeper', workspace);
    expect((await assign(membershipId, 'keeper', workspace)).body).toEqual(made.body);
    await assign(membershipId, 'reader', projects[0] ?? '');
    await assign(membershipId, 'admin', ownResource(organizationId));
    const list = `/authorization/organization_memberships/${membershipId}/role_assignments`;
    const { body } = await call<{ data: { id: string; role: { slug: string } }[] }>('GET', `${list}?limit=100`);
    expect(body.data.map(({ role }) => role.slug).toSorted()).toEqual(['admin', 'keeper', 'member', 'reader']);
    expect((await allIds(`${list}?`, 1)).toSorted()).toEqual(body.data.map(({ id }) => id).toSorted());
    for (const { id } of body.data) expect((await call('DELETE', `${list}/${id}`)).status).toBe(204);
    const left = await call<{ data: { role: { slug: string } }[] }>('GET', list);
    expect(left.body.data.map(({ role }) => role.slug)).toEqual(['member']);
    expect((await call('DELETE', `${list}/${made.body.id}`)).status).toBe(404);
  });

  test('that come from a group can only be removed from the group, as the error says', async () => {
    const { organizationId, membershipId, workspace } = await tree();
    const groups = `/organizations/${organizationId}/groups`;
    const { id: group } = (await call<{ id: string }>('POST', groups, { name: 'Team' })).body;
    const member = { organization_membership_id: membershipId };
    expect((await call('POST', `${groups}/${group}/organization-memberships`, member)).status).toBe(200);
    const role = { role_slug: 'keeper', resource_id: workspace };
    expect((await call('POST', `/authorization/groups/${group}/role_assignments`, role)).status).toBe(201);
    const list = `/authorization/organization_memberships/${membershipId}/role_assignments`;
    const { body } = await call<{ data: { id: string; source: { type: string } }[] }>('GET', list);
    const given = body.data.find(({ source }) => source.type === 'group')?.id ?? '';
    const rejected = { status: 403, body: { code: 'role_assignment_from_group' } };
    expect(await call('DELETE', `${list}/${given}`)).toMatchObject(rejected);
    expect(await call('DELETE', list, role)).toMatchObject(rejected);
    const own = await assign(membershipId, 'keeper', workspace);
    expect((await call('DELETE', list, role)).status).toBe(204);
    expect((await call('DELETE', `${list}/${own.body.id}`)).status).toBe(404);
    expect(await check(membershipId, 'project:read', workspace)).toBe(true);
  });

  test('on a resource show each member with a role on it, can be filtered by role, and have pages', async () => {
    const { organizationId, membershipId, workspace } = await tree();
    await newRole('visitor', 'workspace', []);
    const made: string[] = [];
    for (let at = 0; at < 4; at += 1) {
      const id = await newMember(organizationId);
      made.push((await assign(id, 'keeper', workspace)).body.id);
    }
    const visitor = (await assign(membershipId, 'visitor', workspace)).body.id;
    await idle();
    const list = `/authorization/resources/${workspace}/role_assignments?`;
    expect(await allIds(list, 2)).toEqual([...made, visitor]);
    expect(await allIds(`${list}role_slug=visitor`, 1)).toEqual([visitor]);
    expect(await allIds(`${list}role_slug=nothing`, 1)).toEqual([]);
  });
});

describe('an assignment', () => {
  test('requires an existing role of the resource’s type, and a resource of the organization', async () => {
    const { membershipId, workspace, projects } = await tree();
    const foreign = await newResource(await newOrganization(), 'workspace');
    expect((await assign(membershipId, 'keeper', projects[0] ?? '')).status).toBe(422);
    expect((await assign(membershipId, 'keeper', foreign.id)).status).toBe(404);
    expect((await assign(membershipId, 'nothing', workspace)).status).toBe(404);
    expect((await assign('om_unknown', 'keeper', workspace)).status).toBe(404);
  });

  test('at the organization changes the roles of the membership when added or removed, and emits its event', async () => {
    const { organizationId, membershipId } = await tree();
    const membership = `/user_management/organization_memberships/${membershipId}`;
    const list = `/authorization/organization_memberships/${membershipId}/role_assignments`;
    const slugs = async () => {
      const [one, other] = [
        (await call<{ roles: { slug: string }[] }>('GET', membership)).body.roles,
        (await call<{ data: { role: { slug: string } }[] }>('GET', `${list}?order=asc`)).body.data.map(
          ({ role }) => role,
        ),
      ];
      expect(other.map(({ slug }) => slug).toSorted()).toEqual(one.map(({ slug }) => slug).toSorted());
      return one.map(({ slug }) => slug);
    };
    expect(await slugs()).toEqual(['member']);
    await assign(membershipId, 'admin', ownResource(organizationId));
    expect(await slugs()).toEqual(['member', 'admin']);
    const body = { role_slug: 'member', resource_id: ownResource(organizationId) };
    expect((await call('DELETE', list, body)).status).toBe(204);
    expect(await slugs()).toEqual(['admin']);
    expect((await call('DELETE', list, body)).status).toBe(404);
    await call('DELETE', list, { ...body, role_slug: 'admin' });
    expect(await slugs()).toEqual(['member']);
    await idle();
    const events = await call<{ data: unknown[] }>('GET', '/events?events=organization_membership.updated&limit=100');
    expect(events.body.data).toHaveLength(3);
  });
});

describe('an explanation of a decision', () => {
  test('lists the deciding roles with their sources, or the roles that would permit access', async () => {
    const { organizationId, membershipId, workspace, projects } = await tree();
    const body = {
      organization_membership_id: membershipId,
      permission_slug: 'project:read',
      resource_id: projects[0],
    };
    expect((await call('POST', '/x/authorization/explain', body)).body).toMatchObject({
      authorized: false,
      obstacle: 'no_role_with_permission',
      chain: [{ id: projects[0] }, { id: workspace }, { id: ownResource(organizationId) }],
      reasons: [],
      would_authorize: [
        { resource: { id: projects[0] }, roles: [{ slug: 'reader' }] },
        { resource: { id: workspace }, roles: [{ slug: 'keeper' }] },
      ],
    });
    const { id } = (await assign(membershipId, 'keeper', workspace)).body;
    expect((await call('POST', '/x/authorization/explain', body)).body).toMatchObject({
      authorized: true,
      obstacle: null,
      reasons: [
        { role: { slug: 'keeper' }, resource: { id: workspace }, role_assignment_id: id, source: { type: 'direct' } },
      ],
      would_authorize: [],
    });
    await call('PUT', `/user_management/organization_memberships/${membershipId}/deactivate`);
    expect((await call('POST', '/x/authorization/explain', body)).body).toMatchObject({
      authorized: false,
      obstacle: 'membership_not_active',
    });
  });
});

describe('checks of one member', () => {
  test('can be sent in one request, with the same results as single checks', async () => {
    const { membershipId, projects } = await tree();
    for (const at of [1, 4]) await assign(membershipId, 'reader', projects[at] ?? '');
    const named = projects.map((id) => ({ permission_slug: 'project:read', resource_id: id }));
    const checks = [...named, { permission_slug: 'unknown', resource_id: projects[1] }];
    const { status, body } = await call('POST', '/x/authorization/check', {
      organization_membership_id: membershipId,
      checks,
    });
    expect([status, body]).toEqual([
      200,
      {
        object: 'authorization_checks',
        data: [
          ...projects.map((_, at) => ({ authorized: [1, 4].includes(at), code: null })),
          { authorized: false, code: 'not_found' },
        ],
      },
    ]);
    const many = { organization_membership_id: membershipId, checks: Array.from({ length: 101 }, () => checks[0]) };
    expect((await call('POST', '/x/authorization/check', many)).status).toBe(422);
  });

  test('take one round trip of reads if the instance has cached the records, two if not, and three for an uncached external id', async () => {
    const { organizationId, membershipId } = await tree();
    const workspace = (await newResource(organizationId, 'workspace')).id;
    const named = (at: number) => ({ resource_external_id: `apollo-${at}`, resource_type_slug: 'project' });
    const ids: string[] = [];
    for (const at of [0, 1]) ids.push((await newResource(organizationId, 'project', workspace, `apollo-${at}`)).id);
    const others = [await newMember(organizationId), await newMember(organizationId)];
    const environmentId = await environment();
    // This process is a new instance, which has cached none of these records.
    const countWaves = async (member: string, asked: Named) =>
      (await ask(environmentId, member, [{ named: asked, permission: 'project:read' }])).facts.waves;
    expect(await countWaves(membershipId, named(0))).toBe(3);
    expect(await countWaves(membershipId, named(0))).toBe(1);
    expect(await countWaves(others[0] ?? '', named(0))).toBe(2);
    expect(await countWaves(others[0] ?? '', named(1))).toBe(2);
    expect(await countWaves(others[1] ?? '', { resource_id: ids[1] })).toBe(1);
  });

  test('agree with the listed effective permissions', async () => {
    const { membershipId, workspace, projects } = await tree();
    await newPermission('project:edit', 'project');
    await assign(membershipId, 'keeper', workspace);
    const path = `/authorization/organization_memberships/${membershipId}/resources/${projects[0]}/permissions`;
    const { body } = await call<{ data: { slug: string }[] }>('GET', path);
    expect(body.data.map(({ slug }) => slug)).toEqual(['project:read']);
    const other = `/authorization/resources/${projects[0]}/organization_memberships/${membershipId}/permissions`;
    expect((await call('GET', other)).body).toEqual(body);
    expect(await check(membershipId, 'project:edit', projects[0] ?? '')).toBe(false);
  });
});

import { beforeEach, describe, expect, test } from '@jest/globals';

import { advance, call, idle, reset, sdk } from '../../support/service.ts';
import { recordHolder } from '../../../functions/tenancy/modules/role-holders/public.ts';
import { commitRows } from '../../support/user-rows.ts';
import { environment, readRows } from '../../support/users.ts';
import { addTypes } from '../../support/resource-types.ts';
import {
  addMember,
  eventsNamed,
  type Group,
  type List,
  newGroup,
  newMember,
  newOrganization,
  removeMember,
} from './support.ts';

interface Assignment {
  id: string;
  group_id: string;
  role: { slug: string };
  resource: { id: string; external_id: string; resource_type_slug: string };
  created_at: string;
}

const MOST = 100;

let acme: string;
let group: Group;
beforeEach(async () => {
  await reset();
  acme = await newOrganization();
  group = await newGroup(acme);
});

const path = ({ id }: Group): string => `/authorization/groups/${id}/role_assignments`;

const assign = (body: object, to = group) => call<Assignment>('POST', path(to), body);
const replace = (role_assignments: object[], of = group) =>
  call<List<Assignment>>('PUT', path(of), { role_assignments });
const readAssignments = async (of = group) => (await call<List<Assignment>>('GET', `${path(of)}?limit=100`)).body.data;

/** Makes a role. */
async function newRole(slug: string, resource_type_slug?: string): Promise<void> {
  const { status, body } = await call('POST', '/authorization/roles', { slug, name: slug, resource_type_slug });
  if (status !== 201) throw new Error(JSON.stringify(body));
}

const setMultiple = (multiple_roles: boolean) => call('PUT', '/x/user-management/settings', { multiple_roles });

/** The roles that a membership shows. */
async function readRoles(membership: string): Promise<string[]> {
  const { body } = await call<{ role: { slug: string }; roles: { slug: string }[] }>(
    'GET',
    `/user_management/organization_memberships/${membership}`,
  );
  expect(body.role).toEqual(body.roles[0]);
  return body.roles.map(({ slug }) => slug);
}

/** Makes a resource of the type `project`. @returns its id */
async function newProject(external_id: string): Promise<string> {
  const body = { organization_id: acme, resource_type_slug: 'project', external_id, name: external_id };
  return (await call<{ id: string }>('POST', '/authorization/resources', body)).body.id;
}

describe('a role assignment of a group', () => {
  test('is created, read, replaced and removed by the official client', async () => {
    const { authorization } = sdk();
    const groupId = group.id;
    const made = await authorization.createGroupRoleAssignment({ groupId, roleSlug: 'admin' });
    expect(made).toMatchObject({
      object: 'group_role_assignment',
      groupId,
      role: { slug: 'admin' },
      resource: { externalId: acme, resourceTypeSlug: 'organization' },
    });
    expect(made.id).toMatch(/^gra_/);
    expect(await authorization.getGroupRoleAssignment({ groupId, roleAssignmentId: made.id })).toEqual(made);
    expect((await authorization.listGroupRoleAssignments({ groupId })).data).toEqual([made]);
    const replaced = await authorization.replaceGroupRoleAssignments({
      groupId,
      roleAssignments: [{ roleSlug: 'member' }, { roleSlug: 'admin' }],
    });
    expect(replaced.data.map(({ role }) => role.slug).sort()).toEqual(['admin', 'member']);
    expect(replaced.data).toContainEqual(made);
    await authorization.removeGroupRoleAssignments({ groupId, roleSlug: 'member' });
    await authorization.removeGroupRoleAssignment({ groupId, roleAssignmentId: made.id });
    expect((await authorization.listGroupRoleAssignments({ groupId })).data).toEqual([]);
  });

  test('can be created once: a second request is rejected with a conflict and changes nothing', async () => {
    const first = await assign({ role_slug: 'admin' });
    expect(first.status).toBe(201);
    const again = await assign({ role_slug: 'admin', resource_external_id: acme, resource_type_slug: 'organization' });
    expect([again.status, again.body]).toEqual([
      409,
      expect.objectContaining({ code: 'duplicate_group_role_assignment' }),
    ]);
    expect(await readAssignments()).toEqual([first.body]);
  });

  test('can be on a resource, given by its id or external id, with a role of its type', async () => {
    await addTypes({ project: ['organization'] });
    await newRole('builder', 'project');
    const project = await newProject('one');
    const made = await assign({ role_slug: 'builder', resource_id: project });
    expect(made.body.resource).toEqual({ id: project, external_id: 'one', resource_type_slug: 'project' });
    const named = { resource_external_id: 'one', resource_type_slug: 'project' };
    expect((await assign({ role_slug: 'builder', ...named })).status).toBe(409);
    expect((await assign({ role_slug: 'builder' })).status).toBe(422);
    expect((await assign({ role_slug: 'admin', ...named })).status).toBe(422);
    expect((await assign({ role_slug: 'builder', ...named, resource_id: project })).status).toBe(422);
    expect((await call('DELETE', path(group), { role_slug: 'builder', ...named })).status).toBe(204);
    expect(await readAssignments()).toEqual([]);
  });

  test.each([
    ['an unknown role', { role_slug: 'nobody' }],
    ['an unknown resource', { role_slug: 'admin', resource_id: 'authz_resource_01J00000000000000000000000' }],
    ['an unknown external id', { role_slug: 'admin', resource_external_id: 'x#y', resource_type_slug: 'project' }],
  ])('returns 404 for %s, and changes nothing', async (_name, body) => {
    expect((await assign(body)).status).toBe(404);
    expect((await call('DELETE', path(group), body)).status).toBe(404);
    const rejected = await replace([{ role_slug: 'member' }, body]);
    expect([rejected.status, JSON.stringify(rejected.body)]).toEqual([
      404,
      expect.stringContaining('role_assignments[1]'),
    ]);
    expect(await readAssignments()).toEqual([]);
  });

  test('requires a role and a resource of the group’s organization', async () => {
    const other = await newOrganization('Other');
    const own = await call('POST', `/authorization/organizations/${other}/roles`, { name: 'Own', slug: 'org-own' });
    expect(own.status).toBe(201);
    expect((await assign({ role_slug: 'org-own' })).status).toBe(404);
    const foreign = { role_slug: 'admin', resource_id: other.replace('org_', 'authz_resource_') };
    expect((await assign(foreign)).status).toBe(404);
    expect((await assign({ role_slug: 'org-own' }, await newGroup(other))).status).toBe(201);
  });

  test('is not found for a group of another organization or a deleted one', async () => {
    const made = await assign({ role_slug: 'admin' });
    const other = await newGroup(await newOrganization('Other'));
    expect((await call('GET', `${path(other)}/${made.body.id}`)).status).toBe(404);
    expect((await call('DELETE', `${path(other)}/${made.body.id}`)).status).toBe(404);
    await call('DELETE', `/organizations/${acme}/groups/${group.id}`);
    for (const [method, body] of [
      ['GET'],
      ['POST', { role_slug: 'admin' }],
      ['PUT', { role_assignments: [] }],
    ] as const) {
      expect((await call(method, path(group), body)).status).toBe(404);
    }
    expect((await call('GET', `${path(group)}/${made.body.id}`)).status).toBe(404);
  });

  test('has no effect for a new role with the slug of a deleted one', async () => {
    const roles = `/authorization/organizations/${acme}/roles`;
    await call('POST', roles, { name: 'One', slug: 'org-one' });
    await assign({ role_slug: 'org-one' });
    expect(await call('DELETE', `${roles}/org-one`)).toMatchObject({
      status: 409,
      body: { code: 'role_has_group_role_mappings' },
    });
    await replace([]);
    await idle();
    expect((await call('DELETE', `${roles}/org-one`)).status).toBe(204);
    await call('POST', roles, { name: 'One', slug: 'org-one' });
    expect(await readAssignments()).toEqual([]);
  });

  test('prevents the deletion of its role only while it exists', async () => {
    const roles = `/authorization/organizations/${acme}/roles`;
    const { body: role } = await call<{ id: string }>('POST', roles, { name: 'One', slug: 'org-one' });
    const environmentId = await environment();
    const place = { environmentId, organizationId: acme, roleId: role.id, kind: 'group' } as const;
    // The rows that exist before the worker has removed them: those of this group, and of deleted ones.
    const left = Array.from({ length: 25 }, (_, at) =>
      recordHolder({ ...place, resourceId: `authz_resource_${String(at).padStart(26, '0')}`, holderId: group.id }),
    );
    await commitRows(environmentId, left);
    await assign({ role_slug: 'admin' });
    const last = { ...place, resourceId: `authz_resource_${'Z'.repeat(26)}` };
    const other = await newGroup(acme);
    await assign({ role_slug: 'org-one' }, other);
    await commitRows(environmentId, [recordHolder({ ...last, holderId: group.id })]);
    expect(await call('DELETE', `${roles}/org-one`)).toMatchObject({
      status: 409,
      body: { code: 'role_has_group_role_mappings' },
    });
    expect((await replace([], other)).status).toBe(200);
    expect((await call('DELETE', `${roles}/org-one`)).status).toBe(204);
    expect((await readAssignments()).map(({ role: { slug } }) => slug)).toEqual(['admin']);
    await idle();
    // The removal of a role runs a second time after ten minutes.
    await advance(11 * 60);
    await idle();
    expect(await readRows(role.id)).toEqual([]);
  });

  test('that a PUT repeats is kept; a PUT creates all of up to 100 assignments or none', async () => {
    await addTypes({ project: ['organization'] });
    await newRole('builder', 'project');
    const projects = await Promise.all(Array.from({ length: MOST + 1 }, (_, at) => newProject(`p${at}`)));
    const all = projects.map((resource_id) => ({ role_slug: 'builder', resource_id }));
    expect((await replace(all)).status).toBe(422);
    const first = await replace(all.slice(0, MOST));
    expect([first.status, first.body.data.length]).toEqual([200, MOST]);
    const beyond = await assign(all[MOST] as object);
    expect([beyond.status, JSON.stringify(beyond.body)]).toEqual([422, expect.stringContaining(String(MOST))]);
    const second = await replace(all.slice(1));
    expect(second.status).toBe(200);
    const kept = second.body.data.filter(({ id }) => first.body.data.some((each) => each.id === id));
    expect([second.body.data.length, kept.length]).toEqual([MOST, MOST - 1]);
    expect((await replace([{ role_slug: 'admin' }, { role_slug: 'admin' }])).body.data).toHaveLength(1);
    await idle();
    const holders = (await readRows(group.id)).filter((kind) => kind === 'role-holder');
    expect(holders).toHaveLength(1);
    await call('DELETE', `/organizations/${acme}/groups/${group.id}`);
    await idle();
    expect((await readRows(group.id)).filter((kind) => !/event|idempotency/.test(kind))).toEqual([]);
  });

  test('after two PUTs and a POST in parallel is in the state of one of their orders', async () => {
    await newRole('editor');
    await newRole('viewer');
    for (let round = 0; round < 5; round += 1) {
      await replace([]);
      const done = await Promise.all([
        replace([{ role_slug: 'editor' }]),
        replace([{ role_slug: 'viewer' }, { role_slug: 'member' }]),
        assign({ role_slug: 'admin' }),
      ]);
      expect(done.map(({ status }) => status)).toEqual([200, 200, 201]);
      const slugs = (await readAssignments()).map(({ role }) => role.slug).sort();
      expect([['admin', 'editor'], ['admin', 'member', 'viewer'], ['editor'], ['member', 'viewer']]).toContainEqual(
        slugs,
      );
    }
  });
});

describe('the roles of a membership', () => {
  test('follow those of its groups, with one event for each visible change', async () => {
    const membership = await newMember(acme);
    await assign({ role_slug: 'admin' });
    await addMember(group, membership);
    expect(await readRoles(membership)).toEqual(['member', 'admin']);
    await newRole('editor');
    await assign({ role_slug: 'editor' });
    await idle();
    expect(await readRoles(membership)).toEqual(['member', 'admin', 'editor']);
    await replace([{ role_slug: 'editor' }]);
    await idle();
    expect(await readRoles(membership)).toEqual(['member', 'editor']);
    await removeMember(group, membership);
    expect(await readRoles(membership)).toEqual(['member']);
    const events = await eventsNamed('organization_membership.updated');
    expect(events.map(({ context }) => context?.previous_attributes)).toEqual([
      { roles: [{ slug: 'member' }] },
      { roles: [{ slug: 'member' }, { slug: 'admin' }] },
      { roles: [{ slug: 'member' }, { slug: 'admin' }, { slug: 'editor' }] },
      { roles: [{ slug: 'member' }, { slug: 'editor' }] },
    ]);
  });

  test('keep a role that two groups give until it is removed from both', async () => {
    const other = await newGroup(acme, 'Other');
    const membership = await newMember(acme);
    for (const each of [group, other]) {
      await assign({ role_slug: 'admin' }, each);
      await addMember(each, membership);
    }
    await call('DELETE', `/organizations/${acme}/groups/${group.id}`);
    await idle();
    expect(await readRoles(membership)).toEqual(['member', 'admin']);
    await call('DELETE', `/organizations/${acme}/groups/${other.id}`);
    await idle();
    expect(await readRoles(membership)).toEqual(['member']);
    expect(await eventsNamed('organization_membership.updated')).toHaveLength(2);
  });

  test('keep a role that the membership has itself when a group loses it', async () => {
    const membership = await newMember(acme);
    await call('PUT', `/user_management/organization_memberships/${membership}`, { role_slug: 'admin' });
    await assign({ role_slug: 'admin' });
    await addMember(group, membership);
    await removeMember(group, membership);
    expect(await readRoles(membership)).toEqual(['admin']);
    expect(await eventsNamed('organization_membership.updated')).toHaveLength(1);
  });

  test('include its own and those of its groups', async () => {
    const membership = await newMember(acme);
    await newRole('editor');
    await assign({ role_slug: 'admin' });
    await addMember(group, membership);
    await call('PUT', `/user_management/organization_memberships/${membership}`, { role_slug: 'editor' });
    expect(await readRoles(membership)).toEqual(['admin', 'editor']);
    await replace([]);
    await idle();
    expect(await readRoles(membership)).toEqual(['editor']);
  });

  test('are only the one with the highest priority if the settings allow one role for each membership', async () => {
    await newRole('editor');
    await setMultiple(false);
    const membership = await newMember(acme);
    await call('PUT', `/user_management/organization_memberships/${membership}`, { role_slug: 'editor' });
    await assign({ role_slug: 'admin' });
    await addMember(group, membership);
    expect(await readRoles(membership)).toEqual(['admin']);
    await replace([]);
    await idle();
    expect(await readRoles(membership)).toEqual(['editor']);
    await assign({ role_slug: 'editor' });
    await idle();
    expect(await readRoles(membership)).toEqual(['editor']);
    expect(await eventsNamed('organization_membership.updated')).toHaveLength(3);
  });

  test('are correct when it is added to many groups while these change', async () => {
    await newRole('editor');
    const groups = await Promise.all(Array.from({ length: 6 }, (_, at) => newGroup(acme, `Group ${at}`)));
    const memberships = [await newMember(acme), await newMember(acme), await newMember(acme)];
    await Promise.all(
      groups.flatMap((each, at) => [
        ...memberships.map((membership) => addMember(each, membership)),
        replace([{ role_slug: at % 2 === 0 ? 'admin' : 'editor' }], each),
      ]),
    );
    const ends = await Promise.all(
      groups.map((each, at) =>
        at % 2 === 0
          ? call('DELETE', `/organizations/${acme}/groups/${each.id}`)
          : replace([{ role_slug: 'editor' }], each),
      ),
    );
    expect(ends.every(({ status }) => status < 300)).toBe(true);
    await idle();
    for (const membership of memberships) expect(await readRoles(membership)).toEqual(['member', 'editor']);
  });
});

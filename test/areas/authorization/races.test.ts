import { beforeEach, describe, expect, test } from '@jest/globals';

import { call, idle, reset } from '../../support/service.ts';
import { addMember, type Group, memberIds, newGroup, removeMember } from '../groups/support.ts';
import { assign, check, newMember, newPermission, newResource, newRole, newWorld } from './world.ts';

/** Number of repetitions of each race; more in a soak. */
const ROUNDS = Number(process.env.GATEHOUSE_RACE_ROUNDS ?? 8);
/** Number of repetitions in the same organization. */
const ROUNDS_OF_A_WORLD = 8;
const PERMISSION = 'project:read';

let organizationId: string;
let member: string;

const rounds = Array.from({ length: ROUNDS }, (_, at) => at);
const rolesOfOrganization = (): string => `/authorization/organizations/${organizationId}/roles`;

/** Starts calls at the same moment, in a changing order. */
const race = <T>(round: number, calls: readonly (() => Promise<T>)[]): Promise<T[]> =>
  Promise.all(calls.map((_, at) => (calls[(at + round) % calls.length] as () => Promise<T>)()));

const assignments = async (membership: string): Promise<{ role: { slug: string }; resource: { id: string } }[]> =>
  (
    await call<{ data: { role: { slug: string }; resource: { id: string } }[] }>(
      'GET',
      `/authorization/organization_memberships/${membership}/role_assignments?limit=100`,
    )
  ).body.data;

let played = 0;

// An organization has at most 100 roles, and a membership at most 50 groups.
beforeEach(async () => {
  played += 1;
  if (played % ROUNDS_OF_A_WORLD !== 1) return;
  await reset();
  ({ organizationId, membershipId: member } = await newWorld());
  await newPermission(PERMISSION, 'project');
});

/** Makes a role of the organization for projects, which has the permission. */
async function newOrganizationRole(slug: string): Promise<void> {
  const made = await call('POST', rolesOfOrganization(), { slug, name: slug, resource_type_slug: 'project' });
  const path = `${rolesOfOrganization()}/${slug}/permissions`;
  expect([made.status, (await call('PUT', path, { permissions: [PERMISSION] })).status]).toEqual([201, 200]);
}

describe('assigning a role while the role is deleted', () => {
  test.each(rounds)('of an organization has the result of one of the two orders: %i', async (round) => {
    const slug = `org-raced-${round}`;
    await newOrganizationRole(slug);
    const { id } = await newResource(organizationId, 'project');
    let deleted = 0;
    let assigned = 0;
    await race(round, [
      async () => void ({ status: assigned } = await assign(member, slug, id)),
      async () => void ({ status: deleted } = await call('DELETE', `${rolesOfOrganization()}/${slug}`)),
    ]);
    expect([204, 409]).toContain(deleted);
    expect([201, 404]).toContain(assigned);
    const isThere = (await call('GET', `${rolesOfOrganization()}/${slug}`)).status === 200;
    expect(isThere).toBe(deleted === 409);
    expect(await check(member, PERMISSION, id)).toBe(isThere && assigned === 201);
    if (isThere) return;
    expect((await assignments(member)).map(({ role }) => role.slug)).not.toContain(slug);
    await newOrganizationRole(slug);
    expect(await check(member, PERMISSION, id)).toBe(false);
  });

  test.each(rounds)('of the environment leaves no assignment that grants anything: %i', async (round) => {
    const slug = `raced-${round}`;
    await newRole(slug, 'project', [PERMISSION]);
    const { id } = await newResource(organizationId, 'project');
    const group = await newGroup(organizationId);
    await addMember(group, member);
    const toGroup = { role_slug: slug, resource_id: id };
    await race(round, [
      () => assign(member, slug, id),
      () => call('POST', `/authorization/groups/${group.id}/role_assignments`, toGroup),
      () => call('DELETE', `/x/authorization/roles/${slug}`),
    ]);
    expect((await call('GET', `/authorization/roles/${slug}`)).status).toBe(404);
    expect(await check(member, PERMISSION, id)).toBe(false);
    await newRole(slug, 'project', [PERMISSION]);
    expect(await check(member, PERMISSION, id)).toBe(false);
    expect((await assignments(member)).filter(({ resource }) => resource.id === id)).toEqual([]);
  });
});

describe('a member that is added to a group and removed', () => {
  test.each(rounds)(
    'while the group is deleted is in none of its lists and has none of its permissions: %i',
    async (round) => {
      await call('PUT', '/authorization/roles/admin/permissions', { permissions: [] });
      const { id } = await newResource(organizationId, 'project');
      await newOrganizationRole(`org-group-${round}`);
      const group: Group = await newGroup(organizationId);
      const path = `/authorization/groups/${group.id}/role_assignments`;
      await call('POST', path, { role_slug: `org-group-${round}`, resource_id: id });
      await race(round, [
        () => addMember(group, member),
        () => removeMember(group, member),
        () => call('DELETE', `/organizations/${organizationId}/groups/${group.id}`),
      ]);
      expect(await check(member, PERMISSION, id)).toBe(false);
      await idle();
      const groups = `/user_management/organization_memberships/${member}/groups?limit=100`;
      const { data } = (await call<{ data: { id: string }[] }>('GET', groups)).body;
      expect(data.map((each) => each.id)).not.toContain(group.id);
      await expect(memberIds(group)).rejects.toThrow('not_found');
    },
  );
});

describe('two parallel PUTs of a group’s roles', () => {
  test.each(rounds)('leave the roles of one of them, the same for every member: %i', async (round) => {
    const [one, other] = [
      (await newResource(organizationId, 'project')).id,
      (await newResource(organizationId, 'project')).id,
    ];
    await newOrganizationRole(`org-put-${round}`);
    const group = await newGroup(organizationId);
    const second = await newMember(organizationId);
    await addMember(group, second);
    const put = (resource_id: string) => () =>
      call('PUT', `/authorization/groups/${group.id}/role_assignments`, {
        role_assignments: [{ role_slug: `org-put-${round}`, resource_id }],
      });
    const responses = await race(round, [put(one), put(other)]);
    expect(responses.map(({ status }) => status)).toEqual([200, 200]);
    const held = [await check(second, PERMISSION, one), await check(second, PERMISSION, other)];
    expect(held.toSorted()).toEqual([false, true]);
    await idle();
    expect(await call('DELETE', `${rolesOfOrganization()}/org-put-${round}`)).toMatchObject({
      status: 409,
      body: { code: 'role_has_group_role_mappings' },
    });
  });
});

describe('a resource that is moved', () => {
  test.each(rounds)('twice in parallel is below exactly one parent: %i', async (round) => {
    const parents = [
      (await newResource(organizationId, 'workspace')).id,
      (await newResource(organizationId, 'workspace')).id,
    ];
    const { id } = await newResource(organizationId, 'project', parents[0]);
    await newRole(`keeper-${round}`, 'workspace', [PERMISSION]);
    await assign(member, `keeper-${round}`, parents[1] ?? '');
    await race(
      round,
      parents.map(
        (parent_resource_id) => () => call('PATCH', `/authorization/resources/${id}`, { parent_resource_id }),
      ),
    );
    const { body } = await call<{ parent_resource_id: string }>('GET', `/authorization/resources/${id}`);
    expect(await check(member, PERMISSION, id)).toBe(body.parent_resource_id === parents[1]);
  });

  test.each(rounds)(
    'below a resource that is deleted in parallel is deleted or in its former place: %i',
    async (round) => {
      const former = (await newResource(organizationId, 'workspace')).id;
      const next = (await newResource(organizationId, 'workspace')).id;
      const { id } = await newResource(organizationId, 'project', former);
      await newRole(`mover-${round}`, 'workspace', [PERMISSION]);
      await assign(member, `mover-${round}`, next);
      await race(round, [
        () => call('PATCH', `/authorization/resources/${id}`, { parent_resource_id: next }),
        () => call('DELETE', `/authorization/resources/${next}?cascade_delete=true`),
      ]);
      expect([404, false]).toContain(await check(member, PERMISSION, id));
    },
  );
});

describe('a resource that is created', () => {
  test.each(rounds)('grants nothing below a resource that is deleted in parallel: %i', async (round) => {
    const workspace = (await newResource(organizationId, 'workspace')).id;
    await newRole(`creator-${round}`, 'workspace', [PERMISSION]);
    await assign(member, `creator-${round}`, workspace);
    const body = {
      organization_id: organizationId,
      resource_type_slug: 'project',
      external_id: `below-${round}`,
      name: 'Below',
      parent_resource_id: workspace,
    };
    let made = { status: 0, id: '' };
    await race<unknown>(round, [
      () => call('DELETE', `/authorization/resources/${workspace}?cascade_delete=true`),
      async () => {
        const { status, body: response } = await call<{ id: string }>('POST', '/authorization/resources', body);
        made = { status, id: response.id };
      },
    ]);
    expect([201, 404, 409]).toContain(made.status);
    if (made.status === 201) expect(await check(member, PERMISSION, made.id)).toBe(404);
    expect((await call('GET', `/authorization/resources/${workspace}`)).status).toBe(404);
  });
});

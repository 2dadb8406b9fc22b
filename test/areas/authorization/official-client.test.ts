import { beforeEach, describe, expect, test } from '@jest/globals';

import { call, reset, sdk } from '../../support/service.ts';
import { recordCalls } from '../../support/recorded-client.ts';
import { newMember, newWorld } from './world.ts';

beforeEach(() => reset({ calm: true }));

const idsIn = ({ data }: { data: readonly { id: string }[] }): string[] => data.map(({ id }) => id);
const slugsIn = ({ data }: { data: readonly { slug: string }[] }): string[] => data.map(({ slug }) => slug);

/** The calls of one part of authorization by its client. */
type Part = (client: ReturnType<typeof sdk>['authorization'], organizationId: string, member: string) => Promise<void>;

const environmentRoles: Part = async (client) => {
  for (const slug of ['project:read', 'project:edit']) {
    await client.createPermission({ slug, name: slug, resourceTypeSlug: 'project' });
  }
  await client.createPermission({ slug: 'billing', name: 'Bills' });
  expect(await client.updatePermission('billing', { name: 'Billing' })).toMatchObject({ name: 'Billing' });
  expect(await client.getPermission('billing')).toMatchObject({ name: 'Billing', resourceTypeSlug: 'organization' });
  expect(slugsIn(await client.listPermissions({ limit: 100 }))).toContain('billing');
  await client.createEnvironmentRole({ slug: 'editor', name: 'Edits', resourceTypeSlug: 'project' });
  expect(await client.updateEnvironmentRole('editor', { name: 'Editor' })).toMatchObject({ name: 'Editor' });
  await client.setEnvironmentRolePermissions('editor', { permissions: ['project:read'] });
  await client.addEnvironmentRolePermission('editor', { permissionSlug: 'project:edit' });
  expect(await client.getEnvironmentRole('editor')).toMatchObject({ permissions: ['project:read', 'project:edit'] });
  expect(slugsIn(await client.listEnvironmentRoles())).toEqual(['member', 'admin', 'editor']);
  await client.deletePermission('billing');
  await expect(client.getPermission('billing')).rejects.toMatchObject({ status: 404 });
};

const organizationRoles: Part = async (client, organizationId) => {
  const slug = 'org-auditor';
  await client.createOrganizationRole(organizationId, { slug, name: 'Audits' });
  await client.updateOrganizationRole(organizationId, slug, { name: 'Auditor' });
  await client.setOrganizationRolePermissions(organizationId, slug, { permissions: ['project:read'] });
  await client.addOrganizationRolePermission(organizationId, slug, { permissionSlug: 'project:edit' });
  const permissions = ['project:read', 'project:edit'];
  expect(await client.getOrganizationRole(organizationId, slug)).toMatchObject({ name: 'Auditor', permissions });
  await client.removeOrganizationRolePermission(organizationId, slug, { permissionSlug: 'project:edit' });
  expect(await client.getOrganizationRole(organizationId, slug)).toMatchObject({ permissions: ['project:read'] });
  expect(slugsIn(await client.listOrganizationRoles(organizationId))).toContain(slug);
  await client.deleteOrganizationRole(organizationId, slug);
  await expect(client.getOrganizationRole(organizationId, slug)).rejects.toMatchObject({ status: 404 });
};

const resourcesAndRoles: Part = async (client, organizationId, member) => {
  const place = { organizationId, resourceTypeSlug: 'project', externalId: 'owner/repo' };
  const project = await client.createResource({ ...place, name: 'Repository' });
  expect(await client.updateResource({ resourceId: project.id, name: 'Repo' })).toMatchObject({ name: 'Repo' });
  expect(await client.updateResourceByExternalId({ ...place, name: 'Code' })).toMatchObject({ id: project.id });
  expect(await client.getResourceByExternalId(place)).toEqual(await client.getResource(project.id));
  expect(idsIn(await client.listResources({ organizationId }))).toEqual([project.id]);
  const holder = { organizationMembershipId: member };
  const onProject = { ...holder, resourceExternalId: 'owner/repo', resourceTypeSlug: 'project' };
  const check = () => client.check({ ...onProject, permissionSlug: 'project:edit' });
  const given = await client.assignRole({ ...onProject, roleSlug: 'editor' });
  expect(await check()).toEqual({ authorized: true });
  expect(idsIn(await client.listRoleAssignments(holder))).toContain(given.id);
  const onResource = await client.listRoleAssignmentsForResource({ resourceId: project.id });
  expect([idsIn(onResource), idsIn(await client.listResourceRoleAssignments(place))]).toEqual([[given.id], [given.id]]);
  const permissionSlug = 'project:read';
  const parent = { parentResourceTypeSlug: 'organization', parentResourceExternalId: organizationId };
  expect(idsIn(await client.listResourcesForMembership({ ...holder, permissionSlug, ...parent }))).toEqual([
    project.id,
  ]);
  const byId = { resourceId: project.id, permissionSlug };
  expect(idsIn(await client.listMembershipsForResource(byId))).toEqual([member]);
  const byExternalId = { ...place, permissionSlug };
  expect(idsIn(await client.listMembershipsForResourceByExternalId(byExternalId))).toEqual([member]);
  const permissions = ['project:edit', 'project:read'];
  const effective = await client.listEffectivePermissions({ ...holder, resourceId: project.id });
  expect(slugsIn(effective).toSorted()).toEqual(permissions);
  const { resourceTypeSlug, externalId } = place;
  const same = await client.listEffectivePermissionsByExternalId({ ...holder, resourceTypeSlug, externalId });
  expect(slugsIn(same).toSorted()).toEqual(permissions);
  await client.removeRole({ ...onProject, roleSlug: 'editor' });
  expect(await check()).toEqual({ authorized: false });
  const { id } = await client.assignRole({ ...onProject, roleSlug: 'editor' });
  await client.removeRoleAssignment({ ...holder, roleAssignmentId: id });
  expect(await check()).toEqual({ authorized: false });
  await client.deleteResourceByExternalId(place);
  await expect(client.getResource(project.id)).rejects.toMatchObject({ status: 404 });
  const another = await client.createResource({ ...place, name: 'Repository' });
  await client.deleteResource({ resourceId: another.id });
  await expect(client.getResource(another.id)).rejects.toMatchObject({ status: 404 });
};

const groupRoles: Part = async (client, organizationId) => {
  const { id: groupId } = await sdk().groups.createGroup({ organizationId, name: 'Team' });
  const place = { organizationId, resourceTypeSlug: 'project', externalId: 'apollo' };
  const { id: resourceId } = await client.createResource({ ...place, name: 'Apollo' });
  const given = await client.createGroupRoleAssignment({ groupId, roleSlug: 'editor', resourceId });
  const named = { groupId, roleAssignmentId: given.id };
  expect(await client.getGroupRoleAssignment(named)).toEqual(given);
  expect(idsIn(await client.listGroupRoleAssignments({ groupId }))).toEqual([given.id]);
  await client.removeGroupRoleAssignment(named);
  await expect(client.getGroupRoleAssignment(named)).rejects.toMatchObject({ status: 404 });
  const roleAssignments = [{ roleSlug: 'editor', resourceId }, { roleSlug: 'admin' }];
  expect((await client.replaceGroupRoleAssignments({ groupId, roleAssignments })).data).toHaveLength(2);
  await client.removeGroupRoleAssignments({ groupId, roleSlug: 'admin' });
  expect((await client.listGroupRoleAssignments({ groupId })).data).toMatchObject([{ role: { slug: 'editor' } }]);
};

describe('every method of the official client', () => {
  test('for authorization succeeds', async () => {
    const { organizationId, membershipId } = await newWorld();
    const { client, listUncalled } = recordCalls(sdk().authorization);
    for (const part of [environmentRoles, organizationRoles, resourcesAndRoles, groupRoles]) {
      await part(client, organizationId, membershipId);
    }
    expect(listUncalled()).toEqual([]);
  });

  test('for groups succeeds', async () => {
    const { organizationId } = await newWorld();
    const organizationMembershipId = await newMember(organizationId);
    const { client, listUncalled } = recordCalls(sdk().groups);
    const { id: groupId } = await client.createGroup({ organizationId, name: 'Team' });
    const group = { organizationId, groupId };
    expect(await client.updateGroup({ ...group, name: 'Crew' })).toMatchObject({ name: 'Crew' });
    expect(await client.getGroup(group)).toMatchObject({ id: groupId, name: 'Crew' });
    expect(idsIn(await client.listGroups({ organizationId }))).toEqual([groupId]);
    const member = { ...group, organizationMembershipId };
    await client.addOrganizationMembership(member);
    expect(idsIn(await client.listOrganizationMemberships(group))).toEqual([organizationMembershipId]);
    const { userManagement } = sdk();
    expect(idsIn(await userManagement.listGroupsForOrganizationMembership({ organizationMembershipId }))).toEqual([
      groupId,
    ]);
    await client.removeOrganizationMembership(member);
    expect(idsIn(await client.listOrganizationMemberships(group))).toEqual([]);
    await client.deleteGroup(group);
    await expect(client.getGroup(group)).rejects.toMatchObject({ status: 404 });
    expect(listUncalled()).toEqual([]);
  });

  test('for feature flags succeeds, and a change is seen at the next poll', async () => {
    const { organizationId, membershipId } = await newWorld();
    const { userId } = await sdk().userManagement.getOrganizationMembership(membershipId);
    const slug = 'beta';
    expect((await call('POST', '/x/feature-flags', { slug })).status).toBe(201);
    const { client, listUncalled } = recordCalls(sdk().featureFlags);
    expect(await client.enableFeatureFlag(slug)).toMatchObject({ enabled: true });
    expect(await client.getFeatureFlag(slug)).toMatchObject({ slug, enabled: true });
    expect(slugsIn(await client.listFeatureFlags())).toEqual([slug]);
    const runtime = client.createRuntimeClient();
    try {
      await runtime.waitUntilReady({ timeoutMs: 5_000 });
      expect(runtime.isEnabled(slug, { organizationId })).toBe(false);
      await client.addFlagTarget({ slug, targetId: organizationId });
      expect(slugsIn(await client.listOrganizationFeatureFlags({ organizationId }))).toEqual([slug]);
      expect(slugsIn(await client.listUserFeatureFlags({ userId }))).toEqual([slug]);
      // The client itself polls after five seconds at the earliest.
      await (runtime as unknown as { poll: () => Promise<void> }).poll();
      expect(runtime.isEnabled(slug, { organizationId })).toBe(true);
    } finally {
      runtime.close();
    }
    await client.removeFlagTarget({ slug, targetId: organizationId });
    expect(slugsIn(await client.listOrganizationFeatureFlags({ organizationId }))).toEqual([]);
    expect(await client.disableFeatureFlag(slug)).toMatchObject({ enabled: false });
    expect(listUncalled()).toEqual([]);
  });
});

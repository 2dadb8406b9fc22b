import { beforeEach, describe, expect, test } from '@jest/globals';

import { advance, call, idle, reset } from '../../support/service.ts';
import { readRows } from '../../support/users.ts';
import { assign, newMember, newPermission, newResource, newRole, newWorld } from './world.ts';

beforeEach(async () => {
  await reset();
});

/** Reads the kinds of rows that authorization, groups, roles and feature flags have for an organization or a member. */
const KINDS =
  /^(authorization-|membership-groups|group|organization-role|role-holder|organization-membership|flag-target|flag-member)/;

const readOwnRows = async (id: string): Promise<string[]> =>
  [...new Set((await readRows(id)).filter((kind) => KINDS.test(kind)))].toSorted();

/** Waits for the second sweep of deleted owners. */
async function waitForSweep(): Promise<void> {
  await idle();
  await advance(11 * 60);
  await idle();
}

/** An organization with a row of every kind, and a member who has a role of their own, one through a group, and a flag. */
async function fullOrganization() {
  const { organizationId } = await newWorld();
  const membershipId = await newMember(organizationId);
  await newPermission('project:read', 'project');
  await newRole('reader', 'project', ['project:read']);
  const path = `/authorization/organizations/${organizationId}/roles`;
  await call('POST', path, { slug: 'org-auditor', name: 'Auditor' });
  const workspace = await newResource(organizationId, 'workspace');
  const project = await newResource(organizationId, 'project', workspace.id);
  await assign(membershipId, 'reader', project.id);
  const groups = `/organizations/${organizationId}/groups`;
  const { id: groupId } = (await call<{ id: string }>('POST', groups, { name: 'Team' })).body;
  const body = { organization_membership_id: membershipId };
  await call('POST', `${groups}/${groupId}/organization-memberships`, body);
  const given = `/authorization/groups/${groupId}/role_assignments`;
  await call('POST', given, { role_slug: 'reader', resource_id: project.id });
  await call('POST', given, { role_slug: 'org-auditor' });
  const membership = `/user_management/organization_memberships/${membershipId}`;
  const userId = (await call<{ user_id: string }>('GET', membership)).body.user_id;
  await call('POST', '/x/feature-flags', { slug: 'beta', enabled: true });
  for (const target of [userId, organizationId]) await call('POST', `/feature-flags/beta/targets/${target}`);
  await idle();
  return { organizationId, membershipId, userId, workspace: workspace.id };
}

describe('the erasure of authorization data', () => {
  test('of an organization removes its resources, roles, groups, assignments and flag targets', async () => {
    const { organizationId } = await fullOrganization();
    expect((await readOwnRows(organizationId)).length).toBeGreaterThan(8);
    expect((await call('DELETE', `/organizations/${organizationId}`)).status).toBe(202);
    await waitForSweep();
    expect(await readOwnRows(organizationId)).toEqual([]);
  });

  test('of a membership removes its grants and group memberships, but no data of the user or the organization', async () => {
    const { organizationId, membershipId, userId, workspace } = await fullOrganization();
    const membership = `/user_management/organization_memberships/${membershipId}`;
    expect((await call('DELETE', membership)).status).toBe(200);
    await waitForSweep();
    expect(await readOwnRows(membershipId)).toEqual([]);
    expect((await call('GET', `/authorization/resources/${workspace}`)).status).toBe(200);
    const flags = await call<{ data: object[] }>('GET', `/user_management/users/${userId}/feature-flags`);
    expect(flags.body.data).toMatchObject([{ slug: 'beta' }]);
    const groups = await call<{ data: object[] }>('GET', `/organizations/${organizationId}/groups`);
    expect(groups.body.data).toMatchObject([{ name: 'Team' }]);
  });

  test('of a user removes their assignments, group memberships and flag targets, but no data of the organization', async () => {
    const { organizationId, membershipId, userId, workspace } = await fullOrganization();
    expect((await readOwnRows(membershipId)).length).toBeGreaterThan(3);
    await call('DELETE', `/user_management/users/${userId}`);
    await waitForSweep();
    expect(await readOwnRows(membershipId)).toEqual([]);
    expect(await readOwnRows(userId)).toEqual([]);
    expect((await call('GET', `/authorization/resources/${workspace}`)).status).toBe(200);
    const { body } = await call<{ data: { user: string }[] }>(
      'GET',
      `/x/authorization/organizations/${organizationId}/openfga/tuples`,
    );
    expect(JSON.stringify(body)).not.toContain(membershipId);
  });
});

import { beforeEach, describe, expect, test } from '@jest/globals';

import { call, idle, reset } from '../../support/service.ts';
import { setSettings } from '../../support/settings.ts';
import { openTarget } from '../../contract/target.ts';
import { exportStore, fgaCheck, isValid, type Store } from './fga.ts';
import { assign, check, newMember, newOrganization, newPermission, newResource, newRole, newWorld } from './world.ts';

beforeEach(async () => {
  await reset();
});

const ownResource = (organizationId: string): string => organizationId.replace('org_', 'authz_resource_');

const newGroup = async (organizationId: string, members: readonly string[]): Promise<string> => {
  const path = `/organizations/${organizationId}/groups`;
  const { id } = (await call<{ id: string }>('POST', path, { name: 'Team' })).body;
  for (const organization_membership_id of members) {
    await call('POST', `${path}/${id}/organization-memberships`, { organization_membership_id });
  }
  return id;
};

const assignToGroup = (groupId: string, role_slug: string, resource_id?: string) =>
  call('POST', `/authorization/groups/${groupId}/role_assignments`, { role_slug, resource_id });

const PERMISSIONS = ['project:read', 'project.read', 'workspace:edit', 'billing', 'app:deploy'];

/** An organization with resources of three levels, groups, roles of its own, and members of every kind. */
async function manyKinds() {
  const world = await newWorld();
  const { organizationId } = world;
  await newPermission('project:read', 'project');
  await newPermission('project.read', 'project');
  await newPermission('workspace:edit', 'workspace');
  await newPermission('billing');
  await newPermission('app:deploy', 'app');
  await newRole('reader', 'project', ['project:read']);
  await newRole('lead', 'workspace', ['workspace:edit', 'project.read', 'app:deploy']);
  await newRole('accountant', 'organization', ['billing', 'project:read']);
  const path = `/authorization/organizations/${organizationId}/roles`;
  const own = { slug: 'org-deployer', name: 'Deployer', resource_type_slug: 'project' };
  await call('POST', path, own);
  await call('PUT', `${path}/org-deployer/permissions`, { permissions: ['app:deploy'] });
  const workspace = (await newResource(organizationId, 'workspace')).id;
  const inside = (await newResource(organizationId, 'project', workspace)).id;
  const outside = (await newResource(organizationId, 'project')).id;
  const app = (await newResource(organizationId, 'app', inside)).id;
  const names = ['plain', 'direct', 'grouped', 'deployer', 'inactive'] as const;
  const members: Record<string, string> = { first: world.membershipId };
  for (const name of names) members[name] = await newMember(organizationId, name === 'inactive' ? name : undefined);
  const { direct = '', grouped = '', deployer = '', inactive = '', first = '' } = members;
  await assign(direct, 'reader', outside);
  await assign(direct, 'accountant', ownResource(organizationId));
  await assign(inactive, 'lead', workspace);
  await assign(deployer, 'org-deployer', inside);
  const group = await newGroup(organizationId, [grouped, inactive, first]);
  await assignToGroup(group, 'lead', workspace);
  await assignToGroup(group, 'accountant');
  const resources = { [ownResource(organizationId)]: 'organization', [workspace]: 'workspace' };
  const all = { ...resources, [inside]: 'project', [outside]: 'project', [app]: 'app' };
  return { ...world, members: Object.values(members), resources: all, workspace, group };
}

/** Every member, permission and resource for which the service and the export differ. */
async function differences(store: Store, members: readonly string[], resources: Record<string, string>) {
  const relations = new Map(store.model.permissions.map(({ slug, relation }) => [slug, relation]));
  const asked = members.flatMap((member) =>
    Object.entries(resources).flatMap(([id, type]) => PERMISSIONS.map((slug) => ({ member, id, type, slug }))),
  );
  const found: string[] = [];
  let permitted = 0;
  for (const { member, id, type, slug } of asked) {
    const there = fgaCheck(store, `organization_membership:${member}`, relations.get(slug) ?? '', `${type}:${id}`);
    const here = await check(member, slug, id);
    if (here !== there) found.push(`${member} ${slug} ${type}: ${here} here`);
    if (there) permitted += 1;
  }
  return { found, permitted };
}

describe('the export to OpenFGA', () => {
  test('results in the same decisions as checks, in both role modes and for any page size', async () => {
    const { organizationId, members, resources, workspace } = await manyKinds();
    for (const multiple_roles of [true, false]) {
      await setSettings({ 'user-management': { multiple_roles } });
      await idle();
      const store = await exportStore(organizationId);
      expect(store.tuples.filter((tuple) => !isValid(store, tuple))).toEqual([]);
      const { found, permitted } = await differences(store, members, resources);
      expect(found).toEqual([]);
      expect(permitted).toBeGreaterThan(20);
      expect((await exportStore(organizationId, 1)).tuples).toEqual(store.tuples);
    }
    await call('DELETE', `/authorization/resources/${workspace}?cascade_delete=true`);
    await idle();
    expect(JSON.stringify((await exportStore(organizationId)).tuples)).not.toContain(workspace);
  });

  test('names permissions by their slugs, or by their ids if names collide or are too long', async () => {
    const { organizationId } = await manyKinds();
    await newPermission('x'.repeat(48));
    const { model } = await exportStore(organizationId);
    const relations = Object.fromEntries(model.permissions.map(({ slug, relation }) => [slug, relation]));
    expect(relations['workspace:edit']).toBe('can_workspace_edit');
    expect(relations['project:read']).toMatch(/^perm_/);
    expect(relations['project.read']).toMatch(/^perm_/);
    expect(relations['x'.repeat(48)]).toMatch(/^perm_/);
    const roles = Object.fromEntries(model.roles.map(({ slug, relation }) => [slug, relation]));
    expect(roles['reader']).toBe('role_reader');
    expect(roles['org-deployer']).toMatch(/^role_[0-9A-Z]{26}$/);
    const { body } = await call<typeof model>('GET', '/x/authorization/openfga/model');
    expect(body.roles.map(({ slug }) => slug)).not.toContain('org-deployer');
  });

  test('contains no data of another organization or environment', async () => {
    const { organizationId, members } = await manyKinds();
    const other = await newOrganization();
    const stranger = await newMember(other);
    await idle();
    const store = await exportStore(other);
    expect(store.tuples.map(({ user }) => user)).toEqual([`organization_membership:${stranger}`]);
    const after = `membership:${members[0]}`;
    const path = `/x/authorization/organizations/${other}/openfga/tuples?after=${after}`;
    expect(JSON.stringify((await call('GET', path)).body)).not.toContain(members[1]);
    for (const missing of [
      '/x/authorization/organizations/org_none/openfga/tuples',
      `/x/authorization/openfga/model?organization_id=org_none`,
    ]) {
      expect((await call('GET', missing)).status).toBe(404);
    }
    expect((await call('GET', `/x/authorization/organizations/${organizationId}%23x/openfga/tuples`)).status).toBe(404);
  });

  test('rejects cursors that it did not return', async () => {
    const organizationId = await newOrganization();
    const path = `/x/authorization/organizations/${organizationId}/openfga/tuples?after=`;
    for (const after of ['x', 'resource.none:', 'membership:om_01#', 'membership:a:b', '\u0000:', 'x'.repeat(300)]) {
      expect((await call('GET', `${path}${encodeURIComponent(after)}`)).status).toBe(422);
    }
  });
});

test('a key of another environment exports no data of an organization', async () => {
  const target = await openTarget();
  try {
    const [here, there] = [target.apiWith(target.keys.here), target.apiWith(target.keys.there)];
    const { id } = await here.create('/organizations', { name: 'Acme' });
    const path = `/x/authorization/organizations/${String(id)}/openfga/tuples`;
    expect((await here.send('GET', path)).status).toBe(200);
    expect((await there.send('GET', path)).status).toBe(404);
    expect((await there.send('GET', `/x/authorization/openfga/model?organization_id=${String(id)}`)).status).toBe(404);
  } finally {
    await target.stop();
  }
});

import { beforeEach, describe, expect, test } from '@jest/globals';

import { call, idle, reset } from '../../support/service.ts';
import { addMember, type Group, newGroup, newMember, newOrganization, removeMember } from './support.ts';

let acme: string;
let group: Group;
let membership: string;

beforeEach(async () => {
  await reset();
  acme = await newOrganization();
  group = await newGroup(acme);
  membership = await newMember(acme);
  await call('POST', '/authorization/permissions', { slug: 'all:read', name: 'Read' });
  await call('POST', '/authorization/roles', { slug: 'reader', name: 'Reader' });
  await call('POST', '/authorization/roles/reader/permissions', { slug: 'all:read' });
});

const rolesPath = (of: Group): string => `/authorization/groups/${of.id}/role_assignments`;

const replace = (roles: readonly string[], of = group) =>
  call('PUT', rolesPath(of), { role_assignments: roles.map((role_slug) => ({ role_slug })) });

/** Asks at once, without waiting for any worker. */
async function isAuthorized(member = membership): Promise<boolean> {
  const { status, body } = await call<{ authorized: boolean }>(
    'POST',
    `/authorization/organization_memberships/${member}/check`,
    { permission_slug: 'all:read', resource_external_id: acme, resource_type_slug: 'organization' },
  );
  expect(status).toBe(200);
  return body.authorized;
}

describe('the next authorization check', () => {
  test('reflects each change of a group and of its members', async () => {
    await addMember(group, membership);
    expect(await isAuthorized()).toBe(false);
    await replace(['reader']);
    expect(await isAuthorized()).toBe(true);
    await replace([]);
    expect(await isAuthorized()).toBe(false);
    await replace(['reader']);
    await removeMember(group, membership);
    expect(await isAuthorized()).toBe(false);
    await addMember(group, membership);
    expect(await isAuthorized()).toBe(true);
    await call('DELETE', `/organizations/${acme}/groups/${group.id}`);
    expect(await isAuthorized()).toBe(false);
  });

  test('denies the members of a new group with the name of a deleted one', async () => {
    await addMember(group, membership);
    await replace(['reader']);
    await call('DELETE', `/organizations/${acme}/groups/${group.id}`);
    const again = await newGroup(acme);
    expect(await isAuthorized()).toBe(false);
    await addMember(again, membership);
    expect(await isAuthorized()).toBe(false);
  });

  test('denies an inactive member, and permits the member when active again', async () => {
    await addMember(group, membership);
    await replace(['reader']);
    const path = `/user_management/organization_memberships/${membership}`;
    await call('PUT', `${path}/deactivate`);
    expect(await isAuthorized()).toBe(false);
    await call('PUT', `${path}/reactivate`);
    expect(await isAuthorized()).toBe(true);
  });

  test('denies access if a group was deleted while it got a role and a member, whatever the order', async () => {
    for (let round = 0; round < 5; round += 1) {
      const raced = await newGroup(acme, `Raced ${round}`);
      const [given, added, removed] = await Promise.all([
        replace(['reader'], raced),
        addMember(raced, membership),
        call('DELETE', `/organizations/${acme}/groups/${raced.id}`),
      ]);
      expect([200, 404]).toContain(given.status);
      expect([200, 404]).toContain(added.status);
      expect(removed.status).toBe(204);
      expect(await isAuthorized()).toBe(false);
    }
    await idle();
    const { body } = await call<{ roles: object[] }>('GET', `/user_management/organization_memberships/${membership}`);
    expect(body.roles).toEqual([{ slug: 'member' }]);
  });
});

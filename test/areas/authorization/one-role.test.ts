import { expect, test } from '@jest/globals';

import { startInstances } from '../../support/instances.ts';
import { call, idle, reset } from '../../support/service.ts';
import { addMember, newGroup } from '../groups/support.ts';
import { newMember, newOrganization, newPermission, newRole } from './world.ts';

const PERMISSION = 'reports:read';

test('a role that a group replaces gives no permission, also on an instance that has not read the groups', async () => {
  await reset();
  const organizationId = await newOrganization();
  await newPermission(PERMISSION);
  await newRole('reader', 'organization', [PERMISSION]);
  await call('PUT', '/x/user-management/settings', { multiple_roles: false });
  const member = await newMember(organizationId);
  await call('PUT', `/user_management/organization_memberships/${member}`, { role_slug: 'reader' });
  const group = await newGroup(organizationId);
  // A membership has one role: the one of the group, which has a higher priority.
  await call('POST', `/authorization/groups/${group.id}/role_assignments`, { role_slug: 'admin' });
  await addMember(group, member);
  await idle();
  const [cold] = await startInstances('authorization', 1);
  const check = {
    permission_slug: PERMISSION,
    resource_type_slug: 'organization',
    resource_external_id: organizationId,
  };
  const path = `/authorization/organization_memberships/${member}/check`;
  const response = await cold?.call<{ authorized: boolean }>('POST', path, check);
  cold?.stop();
  expect([response?.status, response?.body.authorized]).toEqual([200, false]);
}, 60_000);

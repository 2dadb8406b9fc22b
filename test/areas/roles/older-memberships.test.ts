import { expect, test } from '@jest/globals';

import { organizationResourceId, removeHolder } from '../../../functions/tenancy/modules/role-holders/public.ts';
import { findMembershipById } from '../../../functions/tenancy/modules/memberships/public.ts';
import { reviseMembership } from '../../../functions/tenancy/modules/memberships/organization-membership/entity.ts';
import { call, idle, reset } from '../../support/service.ts';
import { commitRows } from '../../support/user-rows.ts';
import { addMembership, addUser, environment } from '../../support/users.ts';
import { newOrganization } from '../groups/support.ts';

/**
 * Creates a membership in the form in which it was stored before roles had ids and holders had rows.
 * @returns its id
 */
async function addOlder(organizationId: string, status?: 'inactive'): Promise<string> {
  const id = await addMembership(await addUser(), organizationId, status);
  const environmentId = await environment();
  const record = await findMembershipById(environmentId, id);
  if (record === undefined) throw new Error('no membership was made');
  const [given] = record.givenRoles as { id: string }[];
  const resourceId = organizationResourceId(organizationId);
  const holder = { environmentId, organizationId, roleId: given?.id ?? '', resourceId, holderId: id };
  await commitRows(environmentId, [
    ...reviseMembership(record, { givenRoles: undefined }, record.updatedAt).writes,
    removeHolder({ ...holder, kind: 'membership' }),
  ]);
  return id;
}

const listHolders = async (organizationId: string): Promise<string[]> => {
  const base = `/authorization/resources/${organizationResourceId(organizationId)}/organization_memberships`;
  const query = 'permission_slug=all:read&limit=100&order=asc';
  const first = (await call<{ data: { id: string }[] }>('GET', `${base}?${query}`)).body.data;
  const after = first.at(-1)?.id;
  if (first.length < 100 || after === undefined) return first.map(({ id }) => id);
  const second = (await call<{ data: { id: string }[] }>('GET', `${base}?${query}&after=${after}`)).body.data;
  return [...first, ...second].map(({ id }) => id);
};

test('memberships from before the index of role holders are listed and replaced like others, without an event', async () => {
  await reset();
  const [acme, globex] = [await newOrganization('Acme'), await newOrganization('Globex')];
  await newOrganization('Empty');
  const older: string[] = [];
  // One step of the worker reads fewer memberships than this.
  for (let at = 0; at < 11; at += 1)
    older.push(...(await Promise.all(Array.from({ length: 10 }, () => addOlder(acme)))));
  const inactive = await addOlder(acme, 'inactive');
  const other = await addOlder(globex);
  await idle();
  // The first changes of the model; before them no role can have a permission.
  await call('POST', '/authorization/permissions', { slug: 'all:read', name: 'Read' });
  await call('POST', '/authorization/roles/member/permissions', { slug: 'all:read' });
  await idle();
  expect(await listHolders(acme)).toEqual(older.toSorted());
  expect(await listHolders(globex)).toEqual([other]);
  await call('PUT', `/user_management/organization_memberships/${inactive}/reactivate`);
  expect(await listHolders(acme)).toContain(inactive);
  await idle();
  const events = await call<{ data: object[] }>('GET', '/events?events=organization_membership.updated&limit=100');
  expect(events.body.data).toHaveLength(1);
}, 60_000);

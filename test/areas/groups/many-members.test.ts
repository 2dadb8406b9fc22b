import { expect, test } from '@jest/globals';

import { call, idle, reset } from '../../support/service.ts';
import { addMember, newGroup, newMember, newOrganization } from './support.ts';

const readRoles = async (membership: string): Promise<string[]> => {
  const { body } = await call<{ roles: { slug: string }[] }>(
    'GET',
    `/user_management/organization_memberships/${membership}`,
  );
  return body.roles.map(({ slug }) => slug);
};

test('the roles of 60 members, too many for one transaction, follow a change of their group', async () => {
  await reset();
  const acme = await newOrganization();
  const group = await newGroup(acme);
  const memberships: string[] = [];
  // A busy machine does not commit sixty at once within the deadline of a commit.
  for (let at = 0; at < 60; at += 5) {
    const made = await Promise.all(Array.from({ length: 5 }, () => newMember(acme)));
    const added = await Promise.all(made.map((membership) => addMember(group, membership)));
    expect(added.map(({ status }) => status)).toEqual(made.map(() => 200));
    memberships.push(...made);
  }
  await call('POST', `/authorization/groups/${group.id}/role_assignments`, { role_slug: 'admin' });
  await idle();
  for (const membership of memberships) expect(await readRoles(membership)).toEqual(['member', 'admin']);
  await call('DELETE', `/organizations/${acme}/groups/${group.id}`);
  await idle();
  for (const membership of memberships) expect(await readRoles(membership)).toEqual(['member']);
});

import { beforeEach, describe, expect, test } from '@jest/globals';

import { call, idle, reset } from '../../support/service.ts';
import { addTypes } from '../../support/resource-types.ts';
import { addMember, type List, newGroup, newMember, newOrganization } from './support.ts';

beforeEach(() => reset());

/** Creates a record. */
async function make(path: string, body: object): Promise<{ id: string }> {
  const { status, body: made } = await call<{ id: string }>('POST', path, body);
  if (status !== 201) throw new Error(JSON.stringify(made));
  return made;
}

interface MemberAssignment {
  role: { slug: string };
  source: object;
}

/** The sources of the role assignments in a list, by the slugs of their roles. */
async function readSources(list: string): Promise<Record<string, object>> {
  const { body } = await call<List<MemberAssignment>>('GET', `${list}?limit=100`);
  return Object.fromEntries(body.data.map(({ role, source }) => [role.slug, source]));
}

describe('a role assignment of a member', () => {
  test('has the group from which it comes, and null for a role of its own, in every list', async () => {
    const acme = await newOrganization();
    const group = await newGroup(acme);
    await call('PUT', '/x/user-management/settings', { multiple_roles: true });
    await addTypes({ project: ['organization'] });
    const resource_type_slug = 'project';
    for (const slug of ['editor', 'viewer']) {
      await make('/authorization/roles', { slug, name: slug, resource_type_slug });
    }
    const named = { resource_type_slug, external_id: 'apollo', name: 'Apollo' };
    const { id: project } = await make('/authorization/resources', { organization_id: acme, ...named });
    const membership = await newMember(acme);
    await addMember(group, membership);
    const admin = await make(`/authorization/groups/${group.id}/role_assignments`, { role_slug: 'admin' });
    const editor = await make(`/authorization/groups/${group.id}/role_assignments`, {
      role_slug: 'editor',
      resource_id: project,
    });
    const own = `/authorization/organization_memberships/${membership}/role_assignments`;
    const direct = { type: 'direct', group_role_assignment_id: null, group: null };
    const made = await call<MemberAssignment>('POST', own, { role_slug: 'viewer', resource_id: project });
    expect(made.body.source).toEqual(direct);
    await call('PATCH', `/organizations/${acme}/groups/${group.id}`, { name: 'Experts' });
    await idle();
    const through = ({ id }: { id: string }) => ({
      type: 'group',
      group_role_assignment_id: id,
      group: { id: group.id, name: 'Experts' },
    });
    const onProject = { editor: through(editor), viewer: direct };
    expect(await readSources(own)).toEqual({ admin: through(admin), member: direct, ...onProject });
    expect(await readSources(`/authorization/resources/${project}/role_assignments`)).toEqual(onProject);
    const byExternalId = `/authorization/organizations/${acme}/resources/project/apollo/role_assignments`;
    expect(await readSources(byExternalId)).toEqual(onProject);
  });
});

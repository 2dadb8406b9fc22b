import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';

import {
  type FileImport,
  importFile,
  type Progress,
  progressFile,
  rejectedLinesFile,
} from '../../../bin/import-file.ts';
import { newId } from '../../../functions/kernel/ids.ts';
import { openTarget } from '../../contract/target.ts';
import { call, idle, reset } from '../../support/service.ts';
import { environment } from '../../support/users.ts';
import { assign, check, newMember, newOrganization, newPermission, newResource, newRole, newWorld } from './world.ts';

let folder: string;
let file: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-moving-'));
  file = join(folder, 'model.jsonl');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));
beforeEach(async () => {
  await reset();
  rmSync(progressFile(file), { force: true });
});

type Line = Record<string, unknown>;

const run = async (lines: readonly Line[], given: Partial<FileImport> = {}): Promise<Progress> => {
  writeFileSync(file, lines.map((line) => JSON.stringify(line)).join('\n'));
  return importFile({ file, environmentId: await environment(), isSilent: true, fromStart: true, ...given });
};
const counted = ({ made, there, rejected }: Progress) => ({ made, there, rejected });
const reasons = (): string[] =>
  readFileSync(rejectedLinesFile(file), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { reason: string }).reason);

interface Page {
  data: Line[];
  list_metadata: { after: string | null };
}

async function exported(path: string, limit = 1_000): Promise<Line[]> {
  const lines: Line[] = [];
  for (let after: string | null = ''; after !== null;) {
    const from: string = after === '' ? '' : `&after=${encodeURIComponent(after)}`;
    const { status, body } = await call<Page>('GET', `${path}?limit=${limit}${from}`);
    if (status !== 200) throw new Error(JSON.stringify(body));
    lines.push(...body.data);
    after = body.list_metadata.after;
  }
  return lines;
}

const MODEL = '/x/authorization/export';
const ofOrganization = (id: string): string => `/x/authorization/organizations/${id}/export`;
const ownResource = (organizationId: string): string => organizationId.replace('org_', 'authz_resource_');

/** An environment with at least one record for every kind of line. */
async function fullWorld() {
  const { organizationId, membershipId } = await newWorld();
  await newPermission('project:read', 'project');
  await newPermission('billing');
  await newRole('reader', 'project', ['project:read']);
  await newRole('accountant', 'organization', ['billing']);
  await call('PUT', '/authorization/roles/admin/permissions', { permissions: ['billing', 'project:read'] });
  const roles = `/authorization/organizations/${organizationId}/roles`;
  await call('POST', roles, { slug: 'org-auditor', name: 'Auditor', description: 'Reads' });
  await call('PUT', `${roles}/org-auditor/permissions`, { permissions: ['project:read'] });
  await call('PUT', `${roles}/priority`, { role_slugs: ['org-auditor'] });
  const workspace = await newResource(organizationId, 'workspace');
  // The project is created before its later parent: the export nevertheless has parents first.
  const project = await newResource(organizationId, 'project', undefined, 'owner/repo %+');
  await call('PATCH', `/authorization/resources/${project.id}`, { parent_resource_id: workspace.id });
  const app = await newResource(organizationId, 'app', project.id);
  const grouped = await newMember(organizationId);
  const inactive = await newMember(organizationId, 'inactive');
  await assign(membershipId, 'reader', project.id);
  await assign(membershipId, 'accountant', ownResource(organizationId));
  await assign(inactive, 'reader', project.id);
  const groups = `/organizations/${organizationId}/groups`;
  const { id: group } = (await call<{ id: string }>('POST', groups, { name: 'Team \u{1F511}' })).body;
  for (const organization_membership_id of [grouped, inactive]) {
    await call('POST', `${groups}/${group}/organization-memberships`, { organization_membership_id });
  }
  const given = `/authorization/groups/${group}/role_assignments`;
  await call('POST', given, { role_slug: 'reader', resource_id: project.id });
  await call('POST', given, { role_slug: 'org-auditor' });
  await call('POST', '/x/feature-flags', { slug: 'beta', tags: ['new'], enabled: true, default_value: false });
  await call('POST', `/feature-flags/beta/targets/${organizationId}`);
  await idle();
  return { organizationId, members: [membershipId, grouped, inactive], resources: [workspace, project, app] };
}

/** The checks of every member, permission and resource. */
const decisions = async ({ organizationId, members, resources }: Awaited<ReturnType<typeof fullWorld>>) =>
  Promise.all(
    members.flatMap((member) =>
      ['project:read', 'billing'].flatMap((permission) =>
        [ownResource(organizationId), ...resources.map(({ id }) => id)].map((id) => check(member, permission, id)),
      ),
    ),
  );

/** The ids that both lookups and the lists of assignments show. */
const lookups = async ({ members, resources }: Awaited<ReturnType<typeof fullWorld>>): Promise<string[][]> => {
  const found = 'organization_memberships?permission_slug=project:read&limit=100&assignment';
  const paths = [
    ...members.map((id) => `/authorization/organization_memberships/${id}/role_assignments?limit=100`),
    ...resources.flatMap(({ id }) => [
      ...['direct', 'indirect'].map((assignment) => `/authorization/resources/${id}/${found}=${assignment}`),
      `/authorization/resources/${id}/role_assignments?limit=100`,
    ]),
  ];
  const pages = await Promise.all(paths.map((path) => call<{ data: { id: string }[] }>('GET', path)));
  return pages.map(({ body }) => body.data.map(({ id }) => id));
};

describe('an export that is imported into an empty environment', () => {
  test('results in the same records, ids, decisions and lookups; a second import changes nothing', async () => {
    const world = await fullWorld();
    const { organizationId } = world;
    const [model, organization] = [await exported(MODEL), await exported(ofOrganization(organizationId))];
    expect([await exported(MODEL, 1), await exported(ofOrganization(organizationId), 1)]).toEqual([
      model,
      organization,
    ]);
    const [before, listed] = [await decisions(world), await lookups(world)];
    expect(new Set(before)).toEqual(new Set([true, false]));
    expect(listed.filter(({ length }) => length > 0).length).toBeGreaterThan(5);
    const users = organization
      .filter(({ object }) => object === 'organization_membership')
      .map((line) => line['user_id']);
    await reset();
    const records = [
      { object: 'organization', id: organizationId, name: 'Acme' },
      ...users.map((id, at) => ({ object: 'user', id, email: `member-${at}@example.com` })),
    ];
    const lines = [...records, ...model.filter(({ object }) => object !== 'feature_flag_target'), ...organization];
    const all = [...lines, ...model.filter(({ object }) => object === 'feature_flag_target')];
    expect((await run(all)).rejected).toBe(0);
    await idle();
    // A membership is updated when its group gets a role at the organization, which comes after it in the file.
    const settled = ({ object, updated_at: updatedAt, ...line }: Line): Line =>
      object === 'organization_membership' ? { object, ...line } : { object, updated_at: updatedAt, ...line };
    const isChosen = ({ slug }: Line): boolean => slug !== 'member' && slug !== 'admin';
    expect((await exported(MODEL)).filter(isChosen)).toEqual(model.filter(isChosen));
    expect((await exported(ofOrganization(organizationId))).map(settled)).toEqual(organization.map(settled));
    expect([await decisions(world), await lookups(world)]).toEqual([before, listed]);
    expect(counted(await run(all))).toEqual({ made: 0, there: all.length, rejected: 0 });
  });

  test('results in roles that cannot be deleted while in use, and in grants that can be revoked', async () => {
    const world = await fullWorld();
    const [model, organization] = [await exported(MODEL), await exported(ofOrganization(world.organizationId))];
    const users = organization.filter(({ object }) => object === 'organization_membership');
    await reset();
    const records = [
      { object: 'organization', id: world.organizationId, name: 'Acme' },
      ...users.map(({ user_id: id }, at) => ({ object: 'user', id, email: `member-${at}@example.com` })),
    ];
    const flagless = model.filter(({ object }) => object !== 'feature_flag_target');
    expect((await run([...records, ...flagless, ...organization])).rejected).toBe(0);
    const role = `/authorization/organizations/${world.organizationId}/roles/org-auditor`;
    expect(await call('DELETE', role)).toMatchObject({ status: 409, body: { code: 'role_has_group_role_mappings' } });
    const [, grouped = ''] = world.members;
    const [, project] = world.resources;
    expect(await check(grouped, 'project:read', String(project?.id))).toBe(true);
    const group = String(organization.find(({ object }) => object === 'group')?.['id']);
    await call('PUT', `/authorization/groups/${group}/role_assignments`, { role_assignments: [] });
    expect(await check(grouped, 'project:read', String(project?.id))).toBe(false);
    expect((await call('DELETE', role)).status).toBe(204);
  });

  test('continues after an interruption', async () => {
    const { organizationId } = await fullWorld();
    const lines = [...(await exported(MODEL)), ...(await exported(ofOrganization(organizationId)))];
    const first = await run(lines);
    expect(first.made).toBe(0);
    expect(first.lines).toBe(lines.length);
    expect(counted(await run(lines, { fromStart: false }))).toEqual({ made: 0, there: lines.length, rejected: 0 });
  });
});

describe('an import of authorization data', () => {
  test('rejects invalid lines one by one, each with its reason', async () => {
    const { organizationId, members, resources } = await fullWorld();
    const other = await newOrganization();
    const [project] = resources.slice(1);
    const resource = {
      object: 'authorization_resource',
      organization_id: organizationId,
      resource_type_slug: 'project',
      name: 'X',
    };
    const lines: Line[] = [
      { object: 'resource_type', slug: 'loop', name: 'Loop', parents: ['loop'] },
      { object: 'permission', slug: 'none:read', name: 'X', resource_type_slug: 'none' },
      { object: 'role', slug: 'org-x', name: 'X' },
      { object: 'role', slug: 'x', name: 'X', permissions: ['unknown'] },
      { object: 'organization_role', organization_id: 'org_none', slug: 'org-y', name: 'Y' },
      { object: 'role_order', role_slugs: ['none'], default_role: 'member' },
      { object: 'role_order', role_slugs: ['member'], default_role: 'reader' },
      { ...resource, external_id: 'a?b' },
      { ...resource, external_id: 'own', id: ownResource(other) },
      { ...resource, external_id: 'other', id: project?.id },
      { ...resource, external_id: 'foreign', organization_id: other, parent_resource_id: project?.id },
      {
        object: 'role_assignment',
        organization_membership_id: members[0],
        role_slug: 'reader',
        resource_id: ownResource(organizationId),
      },
      {
        object: 'role_assignment',
        organization_membership_id: 'om_none',
        role_slug: 'reader',
        resource_id: project?.id,
      },
      { object: 'group', id: 'group_x', organization_id: organizationId, name: 'X' },
      { object: 'group_member', group_id: 'group_none', organization_membership_id: members[0] },
      { object: 'group_role_assignment', group_id: 'group_none', role_slug: 'reader' },
      { object: 'feature_flag', slug: 'Upper' },
      { object: 'feature_flag_target', feature_flag: 'beta', type: 'user', id: 'user_none' },
      { object: 'unknown_kind' },
    ];
    expect(counted(await run(lines))).toEqual({ made: 0, there: 0, rejected: lines.length });
    const given = reasons();
    expect(given).toHaveLength(lines.length);
    expect(given.filter((reason) => reason.length < 10)).toEqual([]);
    expect(given[7]).toContain('external_id');
    expect(given[8]).toContain('organization’s own resource');
  });

  test('cannot take over a record of another organization', async () => {
    const { organizationId, resources } = await fullWorld();
    const other = await newOrganization();
    const stranger = await newMember(other);
    const lines = await exported(ofOrganization(organizationId));
    const group = lines.find(({ object }) => object === 'group');
    const taken: Line[] = [
      { ...group, organization_id: other },
      { object: 'group_member', group_id: group?.['id'], organization_membership_id: stranger },
      {
        object: 'role_assignment',
        organization_membership_id: stranger,
        role_slug: 'reader',
        resource_id: resources[1]?.id,
      },
      {
        object: 'group_role_assignment',
        group_id: group?.['id'],
        role_slug: 'reader',
        resource_id: ownResource(other),
      },
    ];
    expect(counted(await run(taken))).toEqual({ made: 0, there: 0, rejected: taken.length });
    expect(await check(stranger, 'project:read', resources[1]?.id ?? '')).toBe(404);
    expect(await exported(ofOrganization(organizationId))).toEqual(lines);
  });

  test('imports records without ids, and matches them by their names in a repeated import', async () => {
    const organization = newId('org');
    const lines: Line[] = [
      { object: 'organization', id: organization, name: 'Acme' },
      { object: 'resource_type', slug: 'project', name: 'Project', parents: ['organization'] },
      { object: 'permission', slug: 'project:read', name: 'Read', resource_type_slug: 'project' },
      { object: 'role', slug: 'reader', name: 'Reader', resource_type_slug: 'project', permissions: ['project:read'] },
      {
        object: 'authorization_resource',
        organization_id: organization,
        resource_type_slug: 'project',
        external_id: 'a',
        name: 'A',
      },
      { object: 'feature_flag', slug: 'beta' },
      { object: 'feature_flag_target', feature_flag: 'beta', type: 'device', id: 'd-1' },
    ];
    expect(counted(await run(lines))).toEqual({ made: lines.length, there: 0, rejected: 0 });
    expect(counted(await run(lines))).toEqual({ made: 0, there: lines.length, rejected: 0 });
  });
});

describe('an export', () => {
  test('of an organization returns 404 in another environment and for an unknown id', async () => {
    const target = await openTarget();
    try {
      const [here, there] = [target.apiWith(target.keys.here), target.apiWith(target.keys.there)];
      const { id } = await here.create('/organizations', { name: 'Acme' });
      const { slug } = await here.create('/authorization/permissions', { slug: 'secret:read', name: 'X' });
      expect((await here.send('GET', ofOrganization(String(id)))).status).toBe(200);
      expect((await there.send('GET', ofOrganization(String(id)))).status).toBe(404);
      expect((await there.send('GET', ofOrganization('org_none'))).status).toBe(404);
      expect(JSON.stringify((await there.send('GET', MODEL)).json)).not.toContain(String(slug));
    } finally {
      await target.stop();
    }
  });

  test('rejects cursors that it did not return', async () => {
    const organizationId = await newOrganization();
    for (const after of ['x', 'permission', 'none:perm_1', 'membership:a', 'permission:a:b', 'x'.repeat(300)]) {
      const query = `?after=${encodeURIComponent(after)}`;
      const expected = after === 'permission' ? 200 : 422;
      expect([after, (await call('GET', `${MODEL}${query}`)).status]).toEqual([after, expected]);
      expect((await call('GET', `${ofOrganization(organizationId)}${query}`)).status).toBe(422);
    }
  });
});

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import { type Instance, startInstances } from '../../support/instances.ts';
import { call, idle, reset } from '../../support/service.ts';
import { addMember, type Group, newGroup, removeMember } from '../groups/support.ts';
import { assign, newMember, newOrganization, newPermission, newResource, newRole, newWorld } from './world.ts';

const INSTANCES = 4;
const PERMISSION = 'app:read';

let instances: Instance[];
let organizationId: string;

beforeAll(async () => {
  await reset();
  ({ organizationId } = await newWorld());
  await newPermission(PERMISSION, 'app');
  await newRole('workspace-reader', 'workspace', [PERMISSION]);
  await newRole('project-reader', 'project', [PERMISSION]);
  await newRole('boss', 'organization', [PERMISSION]);
  instances = await startInstances('authorization', INSTANCES);
}, 60_000);

afterAll(() => {
  for (const instance of instances) instance.stop();
});

/** The arguments of an authorization check. */
interface Asked {
  member: string;
  /** The app that the check is about, in a project in a workspace. */
  app: string;
  project: string;
  workspace: string;
}

async function ask(instance: Instance, { member }: Asked, resource_id: string, permission = PERMISSION) {
  const path = `/authorization/organization_memberships/${member}/check`;
  const { status, body } = await instance.call<{ authorized: boolean }>('POST', path, {
    permission_slug: permission,
    resource_id,
  });
  return status === 200 ? body.authorized : status;
}

/** The results of the check on all instances. */
const askAll = (asked: Asked, permission?: string) =>
  Promise.all(instances.map((instance) => ask(instance, asked, asked.app, permission)));

/**
 * A member and an app, of which the instances have different notes: the first has never seen them, the second saw them
 * before they had any role, the third saw only the resources above the app, the fourth saw the app below another project.
 */
async function prepare(): Promise<Asked> {
  const workspace = (await newResource(organizationId, 'workspace')).id;
  const project = (await newResource(organizationId, 'project', workspace)).id;
  const elsewhere = (await newResource(organizationId, 'project')).id;
  const app = (await newResource(organizationId, 'app', elsewhere)).id;
  const member = await newMember(organizationId);
  const asked = { member, app, project, workspace };
  const [, second, third, fourth] = instances;
  if (second === undefined || third === undefined || fourth === undefined) throw new Error('too few instances');
  await ask(fourth, asked, app);
  await call('PATCH', `/authorization/resources/${app}`, { parent_resource_id: project });
  await ask(second, asked, app);
  await ask(third, asked, project);
  return asked;
}

const must = async (method: string, path: string, body?: object): Promise<void> => {
  const { status, body: responses } = await call(method, path, body);
  if (status >= 300) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(responses)}`);
};

const groupRoles = (group: Group): string => `/authorization/groups/${group.id}/role_assignments`;

async function groupWith(asked: Asked): Promise<Group> {
  const group = await newGroup(organizationId);
  await addMember(group, asked.member);
  await must('POST', groupRoles(group), { role_slug: 'project-reader', resource_id: asked.project });
  return group;
}

type Revocation = [kind: string, give: (asked: Asked) => Promise<() => Promise<void>>, after?: false | 404];

const giveProject = async ({ member, project }: Asked) => void (await assign(member, 'project-reader', project));

const REVOCATIONS: readonly Revocation[] = [
  [
    'a permission taken out of a role',
    async (asked) => {
      await must('PUT', '/authorization/roles/project-reader/permissions', { permissions: [PERMISSION] });
      await giveProject(asked);
      return () => must('PUT', '/authorization/roles/project-reader/permissions', { permissions: [] });
    },
  ],
  [
    'a role taken',
    async (asked) => {
      await must('PUT', '/authorization/roles/project-reader/permissions', { permissions: [PERMISSION] });
      const { member, workspace } = asked;
      const { body } = await assign(member, 'workspace-reader', workspace);
      return () => must('DELETE', `/authorization/organization_memberships/${member}/role_assignments/${body.id}`);
    },
  ],
  [
    'a role of the organization taken',
    async ({ member }) => {
      const path = `/user_management/organization_memberships/${member}`;
      await must('PUT', path, { role_slug: 'boss' });
      return () => must('PUT', path, { role_slug: 'member' });
    },
  ],
  [
    'a role deleted',
    async ({ member, project }) => {
      await newRole('short-lived', 'project', [PERMISSION]);
      await assign(member, 'short-lived', project);
      return () => must('DELETE', '/x/authorization/roles/short-lived');
    },
  ],
  [
    'a role taken from a group',
    async (asked) => {
      const group = await groupWith(asked);
      return () => must('PUT', groupRoles(group), { role_assignments: [] });
    },
  ],
  [
    'a member taken out of a group',
    async (asked) => {
      const group = await groupWith(asked);
      return async () => void (await removeMember(group, asked.member));
    },
  ],
  [
    'a group deleted',
    async (asked) => {
      const group = await groupWith(asked);
      return () => must('DELETE', `/organizations/${organizationId}/groups/${group.id}`);
    },
  ],
  [
    'the resource moved away',
    async (asked) => {
      await giveProject(asked);
      const other = (await newResource(organizationId, 'project')).id;
      return () => must('PATCH', `/authorization/resources/${asked.app}`, { parent_resource_id: other });
    },
  ],
  [
    'what is above the resource moved away',
    async ({ member, project, workspace }) => {
      await assign(member, 'workspace-reader', workspace);
      const other = (await newResource(organizationId, 'workspace')).id;
      return () => must('PATCH', `/authorization/resources/${project}`, { parent_resource_id: other });
    },
  ],
  [
    'the membership deactivated',
    async (asked) => {
      await giveProject(asked);
      return () => must('PUT', `/user_management/organization_memberships/${asked.member}/deactivate`);
    },
  ],
  [
    'the membership deleted',
    async (asked) => {
      await giveProject(asked);
      return () => must('DELETE', `/user_management/organization_memberships/${asked.member}`);
    },
    404,
  ],
  [
    'a small subtree deleted',
    async (asked) => {
      await giveProject(asked);
      return () => must('DELETE', `/authorization/resources/${asked.project}?cascade_delete=true`);
    },
    404,
  ],
  [
    'a subtree deleted that is larger than a transaction',
    async (asked) => {
      await giveProject(asked);
      await Promise.all(Array.from({ length: 40 }, () => newResource(organizationId, 'app', asked.project)));
      return () => must('DELETE', `/authorization/resources/${asked.workspace}?cascade_delete=true`);
    },
    404,
  ],
  [
    'the permission deleted',
    async (asked) => {
      await giveProject(asked);
      return async () => {
        await must('DELETE', `/authorization/permissions/${PERMISSION}`);
        await newPermission('app:write', 'app');
      };
    },
    404,
  ],
];

describe('each of four instances denies access from the response on to a revocation', () => {
  test.each(REVOCATIONS)(
    'by %s',
    async (_, give, after = false) => {
      const asked = await prepare();
      const revoke = await give(asked);
      // The first of the four instances has not seen the records before the revocation; the others have seen that access
      // was permitted.
      const seen = await Promise.all(instances.slice(1).map((instance) => ask(instance, asked, asked.app)));
      expect(seen).toEqual([true, true, true]);
      await revoke();
      expect(await askAll(asked)).toEqual([after, after, after, after]);
      await idle();
      expect(await askAll(asked)).toEqual([after, after, after, after]);
    },
    60_000,
  );

  test('by the deletion of a permission, also if another one gets its slug', async () => {
    await newPermission(PERMISSION, 'app');
    const asked = await prepare();
    await giveProject(asked);
    expect(await askAll(asked)).toEqual([false, false, false, false]);
  });

  test('by the deletion of an organization', async () => {
    await newRole('reader-again', 'project', [PERMISSION]);
    const asked = await prepare();
    await assign(asked.member, 'reader-again', asked.project);
    expect(await askAll(asked)).toEqual([true, true, true, true]);
    await must('DELETE', `/organizations/${organizationId}`);
    expect(await askAll(asked)).toEqual([404, 404, 404, 404]);
    expect(await newOrganization()).toMatch(/^org_/);
  });
});

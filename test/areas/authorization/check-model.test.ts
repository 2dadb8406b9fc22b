import { beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';

import { forgetEnvironments } from '../../../functions/kernel/authentication/environment.ts';
import { ask } from '../../../functions/access/authorization/check/ask.ts';
import { advance, call, reset } from '../../support/service.ts';
import { environment } from '../../support/users.ts';
import { directMembers, isAllowed, findSubtree, type Tree } from './model.ts';
import { newMember, newOrganization, newPermission, newResource, newRole, newWorld } from './world.ts';

const PERMISSIONS = ['workspace:read', 'project:read', 'app:read'];
const ROLES: Readonly<Record<string, readonly [type: string, ...permissions: string[]]>> = {
  boss: ['organization', 'app:read'],
  helper: ['organization', 'workspace:read', 'project:read'],
  keeper: ['workspace', 'workspace:read', 'project:read'],
  lead: ['project', 'project:read', 'app:read'],
  user: ['app', 'app:read'],
};
const PARENTS: Readonly<Record<string, readonly (string | undefined)[]>> = {
  workspace: [undefined],
  project: [undefined, 'workspace'],
  app: ['project'],
};

/** Number of random scenarios that are tried; a soak tries more. */
const RUNS = Number(process.env.GATEHOUSE_MODEL_RUNS ?? 4);
const IS_SOAK = RUNS > 4;

type Step = {
  kind: 'make' | 'move' | 'delete' | 'assign' | 'take' | 'status' | 'permissions' | 'join' | 'remake';
  at: [number, number, number];
};

const steps = fc.array(
  fc.record({
    kind: fc.constantFrom<Step['kind']>(
      ...([
        'make',
        'make',
        'make',
        'move',
        'delete',
        'assign',
        'assign',
        'assign',
        'take',
        'status',
        'permissions',
        'join',
        'remake',
      ] as Step['kind'][]),
    ),
    at: fc.tuple(fc.nat(1_000), fc.nat(1_000), fc.nat(1_000)),
  }),
  { minLength: 12, maxLength: 18, size: 'max' },
);

const pick = <T>(list: readonly T[], at: number): T | undefined => list[at % Math.max(1, list.length)];

interface Run {
  organizationId: string;
  tree: Tree;
  groups: string[];
}

beforeAll(async () => {
  await reset();
  await newWorld();
  for (const slug of PERMISSIONS) await newPermission(slug, slug.split(':')[0]);
  for (const [slug, [type, ...permissions]] of Object.entries(ROLES)) await newRole(slug, type, permissions);
  expect((await call('PUT', '/x/authorization/roles/priority', { role_slugs: PRIORITY })).status).toBe(200);
});

/** The order of the roles of the organization; `member` has no permission. */
const PRIORITY = ['helper', 'boss', 'member', 'admin'];

async function begin(hasOneRole: boolean): Promise<Run> {
  const section = { multiple_roles: !hasOneRole };
  expect((await call('PUT', '/x/user-management/settings', section)).status).toBe(200);
  // The service caches an environment for five seconds, and so does the instance of this process.
  await advance(6);
  forgetEnvironments();
  const organizationId = await newOrganization();
  const tree: Tree = { resources: new Map(), roles: new Map(), grants: [], members: new Map() };
  if (hasOneRole) tree.priority = PRIORITY;
  for (const [slug, [type, ...permissions]] of Object.entries(ROLES)) {
    tree.roles.set(slug, { type, permissions: new Set(permissions) });
    await call('PUT', `/authorization/roles/${slug}/permissions`, { permissions });
  }
  for (let at = 0; at < 3; at += 1)
    tree.members.set(await newMember(organizationId), { isActive: true, groups: new Set() });
  const groups: string[] = [];
  for (const name of ['one', 'two']) {
    groups.push((await call<{ id: string }>('POST', `/organizations/${organizationId}/groups`, { name })).body.id);
  }
  return { organizationId, tree, groups };
}

/** Parents that a resource of a type can have; undefined for the organization. */
const parentsFor = ({ tree }: Run, type: string): (string | undefined)[] =>
  (PARENTS[type] ?? []).flatMap((parent) =>
    parent === undefined
      ? [undefined]
      : [...tree.resources].filter(([, each]) => each.type === parent).map(([id]) => id),
  );

const ownResource = ({ organizationId }: Run): string => organizationId.replace('org_', 'authz_resource_');

/** The path of the role assignments of a member or a group. */
const findAssignments = ({ groups }: Run, holder: string): string =>
  `/authorization/${groups.includes(holder) ? 'groups' : 'organization_memberships'}/${holder}/role_assignments`;

/** Functions that execute a step in the service and in the model. A step has no effect if there is no record for it. */
const doers: Readonly<Record<Step['kind'], (run: Run, at: Step['at']) => Promise<void>>> = {
  make: async (run, [a, b]) => {
    const type = pick(['workspace', 'project', 'app', 'app'], a) ?? '';
    const parents = parentsFor(run, type);
    if (parents.length === 0 || run.tree.resources.size > 9) return;
    const parent = pick(parents, b);
    const { id } = await newResource(run.organizationId, type, parent);
    run.tree.resources.set(id, { type, parent });
  },
  move: async (run, [, b, c]) => {
    const [id, found] = pick([...run.tree.resources], b) ?? [];
    if (id === undefined || found === undefined) return;
    const parent = pick(parentsFor(run, found.type), c);
    const body = { parent_resource_id: parent ?? ownResource(run) };
    expect((await call('PATCH', `/authorization/resources/${id}`, body)).status).toBe(200);
    found.parent = parent;
  },
  delete: async ({ tree }, [, b, c]) => {
    const [id] = pick([...tree.resources], b) ?? [];
    if (id === undefined || c % 2 === 1) return;
    expect((await call('DELETE', `/authorization/resources/${id}?cascade_delete=true`)).status).toBe(204);
    const gone = findSubtree(tree, id);
    for (const each of gone) tree.resources.delete(each);
    tree.grants = tree.grants.filter(({ resource }) => resource === undefined || !gone.includes(resource));
  },
  assign: async (run, [a, b, c]) => {
    const { tree, groups } = run;
    const holder = pick(c % 3 === 0 ? groups : [...tree.members.keys()], a) ?? '';
    const [id, found] = (c % 7 === 0 ? undefined : pick([...tree.resources], b)) ?? [];
    const fitting = [...tree.roles].filter(([, each]) => each.type === (found?.type ?? 'organization'));
    const [role] = pick(fitting, b) ?? [];
    if (role === undefined) return;
    const isThere = tree.grants.some(
      (grant) => grant.holder === holder && grant.role === role && grant.resource === id,
    );
    if (isThere) return;
    const body = { role_slug: role, resource_id: id ?? ownResource(run) };
    expect((await call('POST', findAssignments(run, holder), body)).status).toBe(201);
    const isReplacing = tree.priority !== undefined && id === undefined && tree.members.has(holder);
    if (isReplacing) tree.grants = tree.grants.filter((grant) => grant.holder !== holder || grant.resource !== id);
    tree.grants.push({ holder, role, resource: id });
  },
  take: async (run, [a]) => {
    const grant = pick(run.tree.grants, a);
    if (grant === undefined) return;
    const body = { role_slug: grant.role, resource_id: grant.resource ?? ownResource(run) };
    expect((await call('DELETE', findAssignments(run, grant.holder), body)).status).toBe(204);
    run.tree.grants = run.tree.grants.filter((each) => each !== grant);
  },
  status: async ({ tree }, [a]) => {
    const [id, state] = pick([...tree.members], a) ?? [];
    if (id === undefined || state === undefined) return;
    const verb = state.isActive ? 'deactivate' : 'reactivate';
    expect((await call('PUT', `/user_management/organization_memberships/${id}/${verb}`)).status).toBe(200);
    state.isActive = !state.isActive;
  },
  permissions: async ({ tree }, [a, b]) => {
    const [slug = '', role] = pick([...tree.roles], a) ?? [];
    const [, ...all] = ROLES[slug] ?? ['organization'];
    const permissions = all.filter((_, at) => (b >> at) % 2 === 0);
    expect((await call('PUT', `/authorization/roles/${slug}/permissions`, { permissions })).status).toBe(200);
    if (role !== undefined) role.permissions = new Set(permissions);
  },
  join: async ({ organizationId, tree, groups }, [a, b]) => {
    const group = pick(groups, b) ?? '';
    const [id = '', state] = pick([...tree.members], a) ?? [];
    const path = `/organizations/${organizationId}/groups/${group}/organization-memberships`;
    const isIn = state?.groups.has(group) === true;
    const { status } = isIn
      ? await call('DELETE', `${path}/${id}`)
      : await call('POST', path, { organization_membership_id: id });
    expect(status).toBeLessThan(300);
    if (isIn) state.groups.delete(group);
    else state?.groups.add(group);
  },
  // The step deletes a group or a role and creates another one with its name, which must not get what the former one had.
  remake: async ({ organizationId, tree, groups }, [a, b]) => {
    if (b % 2 === 0) {
      const at = a % groups.length;
      const path = `/organizations/${organizationId}/groups`;
      const former = groups[at] ?? '';
      expect((await call('DELETE', `${path}/${former}`)).status).toBe(204);
      groups[at] = (await call<{ id: string }>('POST', path, { name: 'one' })).body.id;
      tree.grants = tree.grants.filter(({ holder }) => holder !== former);
      for (const member of tree.members.values()) member.groups.delete(former);
      return;
    }
    const [slug = '', role] = pick([...tree.roles], a) ?? [];
    expect((await call('DELETE', `/x/authorization/roles/${slug}`)).status).toBe(204);
    await newRole(slug, role?.type ?? '', [...(role?.permissions ?? [])]);
    // A new role is the last one in the order of roles.
    expect((await call('PUT', '/x/authorization/roles/priority', { role_slugs: PRIORITY })).status).toBe(200);
    tree.grants = tree.grants.filter((grant) => grant.role !== slug);
  },
};

/** Compares the check of every member, permission and resource with the simple evaluator. */
async function compareChecks({ tree }: Run): Promise<void> {
  const triples = [...tree.resources.keys()].flatMap((id) => PERMISSIONS.map((permission) => ({ id, permission })));
  if (triples.length === 0) return;
  await Promise.all(
    [...tree.members.keys()].map(async (member) => {
      const checks = triples.map(({ id, permission }) => ({ permission_slug: permission, resource_id: id }));
      const body = { organization_membership_id: member, checks };
      const { body: responseBody } = await call<{ data: { authorized: boolean; code: string | null }[] }>(
        'POST',
        '/x/authorization/check',
        body,
      );
      const compared = triples.map((triple, at) => ({ ...triple, yes: responseBody.data[at]?.authorized }));
      const expected = triples.map((triple) => ({
        ...triple,
        yes: isAllowed(tree, member, triple.permission, triple.id),
      }));
      expect(compared).toEqual(expected);
      const [one] = triples;
      if (one === undefined) return;
      const path = `/authorization/organization_memberships/${member}/check`;
      const single = await call('POST', path, { permission_slug: one.permission, resource_id: one.id });
      expect(single.body).toEqual({ authorized: expected[0]?.yes });
    }),
  );
}

/**
 * Compares checks of another instance: this process, which has seen other steps than the service, so that its cached notes
 * are often wrong.
 */
async function compareOtherInstance({ tree }: Run): Promise<void> {
  const environmentId = await environment();
  for (const member of tree.members.keys()) {
    const ids = [...tree.resources.keys()];
    const questions = ids.map((id) => ({ named: { resource_id: id }, permission: 'app:read' }));
    const { findings } = await ask(environmentId, member, questions);
    const expected = ids.map((id) => isAllowed(tree, member, 'app:read', id));
    expect(findings.map((finding) => finding?.isAuthorized)).toEqual(expected);
  }
}

interface Listed {
  data: { id: string; slug?: string }[];
  list_metadata: { after: string | null };
}

async function listed(path: string, limit: number): Promise<Listed['data']> {
  const found: Listed['data'] = [];
  for (let after: string | null = ''; after !== null;) {
    const cursor: string = after === '' ? '' : `&after=${after}`;
    const { status, body } = await call<Listed>('GET', `${path}&limit=${limit}&order=asc${cursor}`);
    expect([path, status]).toEqual([path, 200]);
    found.push(...body.data);
    after = body.list_metadata.after;
  }
  return found;
}

/** Compares the children of a resource, or of the organization, on which a member has the permission of their type. */
async function compareChildren(run: Run, parent: string | undefined, member: string, limit: number): Promise<void> {
  const { tree } = run;
  const above = parent === undefined ? undefined : tree.resources.get(parent)?.type;
  for (const type of Object.keys(PARENTS).filter((each) => PARENTS[each]?.includes(above) === true)) {
    const permission = `${type}:read`;
    const path = `/authorization/organization_memberships/${member}/resources?permission_slug=${permission}`;
    const found = await listed(`${path}&parent_resource_id=${parent ?? ownResource(run)}`, limit);
    const children = [...tree.resources].filter(([, each]) => each.parent === parent && each.type === type);
    const allowed = children.filter(([each]) => isAllowed(tree, member, permission, each)).map(([each]) => each);
    expect(found.map((each) => each.id)).toEqual(allowed.toSorted());
  }
}

/**
 * Compares the lookups about a resource with the checks of what they list, in pages of one to three.
 * @param at chooses the size of the pages and the member
 */
async function compareLookups(run: Run, id: string, at: number, permissions = PERMISSIONS): Promise<void> {
  const { tree } = run;
  const members = [...tree.members.keys()].toSorted();
  const [limit, member = ''] = [(at % 3) + 1, members[at % members.length]];
  for (const permission of permissions) {
    const path = `/authorization/resources/${id}/organization_memberships?permission_slug=${permission}`;
    const everyone = await listed(`${path}&assignment=indirect`, limit);
    expect(everyone.map((each) => each.id)).toEqual(members.filter((each) => isAllowed(tree, each, permission, id)));
    const direct = await listed(path, limit);
    expect(direct.map((each) => each.id)).toEqual(directMembers(tree, permission, id).toSorted());
  }
  await compareChildren(run, id, member, limit);
  const effective = `/authorization/organization_memberships/${member}/resources/${id}/permissions?`;
  const slugs = (await listed(effective, limit)).map(({ slug }) => slug);
  expect(slugs.toSorted()).toEqual(PERMISSIONS.filter((each) => isAllowed(tree, member, each, id)).toSorted());
}

/** Compares the lookups about one resource after each step, and in a soak test the lookups about all resources. */
async function compareSomeLookups(run: Run, at: number): Promise<void> {
  const ids = [...run.tree.resources.keys()];
  if (IS_SOAK) for (const [place, id] of ids.entries()) await compareLookups(run, id, place + at);
  else if (ids.length > 0) await compareLookups(run, pick(ids, at) ?? '', at, [pick(PERMISSIONS, at) ?? '']);
  await compareChildren(run, undefined, pick([...run.tree.members.keys()], at) ?? '', (at % 3) + 1);
}

test('checks and lookups agree with a simple reference evaluator after every step of random scenarios, in both role modes', async () => {
  await fc.assert(
    fc.asyncProperty(steps, fc.boolean(), async (list, hasOneRole) => {
      const run = await begin(hasOneRole);
      for (const [at, step] of list.entries()) {
        await doers[step.kind](run, step.at);
        await compareChecks(run);
        await compareSomeLookups(run, at);
        if (at % 3 === 2) await compareOtherInstance(run);
      }
      for (const [at, id] of [...run.tree.resources.keys()].entries()) await compareLookups(run, id, at);
    }),
    { numRuns: RUNS, endOnFailure: true },
  );
}, 600_000);

import { createResource } from '../../../functions/access/authorization/resource/entity.ts';
import { systemActor } from '../../../functions/kernel/authentication/caller.ts';
import { newId } from '../../../functions/kernel/ids.ts';
import { applyWork } from '../../../functions/kernel/storage/background.ts';
import type { Connection } from '../../support/connection.ts';
import { writeMembership, writeUser } from '../../support/user-rows.ts';
import { type Case, type CaseFile, each, type Expected, usingUp } from '../case.ts';
import { findEnvironment } from './environment.ts';
import { createOrganization } from './organizations.ts';

/** Types below each other, the last one five levels below the organization. */
const LEVELS = ['level-1', 'level-2', 'level-3', 'level-4', 'level-5'];

const MODEL = {
  resource_types: LEVELS.map((slug, at) => ({ slug, name: slug, parents: [LEVELS[at - 1] ?? 'organization'] })),
  permissions: LEVELS.map((slug) => ({ slug: `${slug}:read`, name: slug, resource_type_slug: slug })),
  roles: [
    { slug: 'member', name: 'Member' },
    { slug: 'admin', name: 'Admin' },
    ...LEVELS.map((slug, at) => ({
      slug: `reader-${slug}`,
      name: slug,
      resource_type_slug: slug,
      permissions: LEVELS.slice(at).map((below) => `${below}:read`),
    })),
  ],
};

interface World {
  organization: string;
  membership: string;
  /** The resources from the level below the organization down. */
  chain: string[];
}

interface Created {
  id: string;
}

const create = (connection: Connection, path: string, body: object): Promise<Created> =>
  connection.demand<Created>({ method: 'POST', path, body });

const newResource = async (connection: Connection, organization: string, level: number, parent?: string, at = 0) =>
  (
    await create(connection, '/authorization/resources', {
      organization_id: organization,
      resource_type_slug: LEVELS[level],
      external_id: `resource-${level}-${at}`,
      name: 'Resource',
      ...(parent === undefined ? {} : { parent_resource_id: parent }),
    })
  ).id;

/** A member with a role on the uppermost of a chain of resources. */
async function newWorld(connection: Connection, depth: number, groups = 0): Promise<World> {
  await connection.demand({ method: 'PUT', path: '/x/authorization/model', body: MODEL });
  const organization = (await createOrganization(connection)).id;
  const user_id = (await create(connection, '/user_management/users', { email: 'ada@acme.example' })).id;
  const pair = { user_id, organization_id: organization };
  const membership = (await create(connection, '/user_management/organization_memberships', pair)).id;
  const chain: string[] = [];
  for (let level = 0; level < depth; level += 1) {
    chain.push(await newResource(connection, organization, level, chain.at(-1)));
  }
  await assign(connection, membership, 0, chain[0] ?? '');
  for (let at = 0; at < groups; at += 1) {
    const path = `/organizations/${organization}/groups`;
    const group = (await create(connection, path, { name: `Group ${at}` })).id;
    await connection.demand({
      method: 'POST',
      path: `${path}/${group}/organization-memberships`,
      body: { organization_membership_id: membership },
    });
  }
  return { organization, membership, chain };
}

const assignments = (membership: string): string =>
  `/authorization/organization_memberships/${membership}/role_assignments`;

const assign = (connection: Connection, membership: string, level: number, resource: string) =>
  create(connection, assignments(membership), { role_slug: `reader-${LEVELS[level]}`, resource_id: resource });

const check = ({ membership, chain }: World): Expected => ({
  method: 'POST',
  path: `/authorization/organization_memberships/${membership}/check`,
  body: { permission_slug: `${LEVELS[chain.length - 1]}:read`, resource_id: chain.at(-1) },
  status: 200,
});

const checkAt = (depth: number, groups = 0): Case => ({
  name: `authorization.check (depth ${depth}${groups > 0 ? `, ${groups} groups` : ''})`,
  kind: 'read',
  prepare: async (connection) => {
    const request = check(await newWorld(connection, depth, groups));
    return () => request;
  },
});

const checkMany = (count: number): Case => ({
  name: `authorization.check_many (${count})`,
  kind: 'read',
  prepare: async (connection) => {
    const { organization, membership, chain } = await newWorld(connection, 2);
    const made = await each(count, (at) => newResource(connection, organization, 2, chain[1], at));
    const checks = made.map((id) => ({ permission_slug: 'level-3:read', resource_id: id }));
    const body = { organization_membership_id: membership, checks };
    return () => ({ method: 'POST', path: '/x/authorization/check', body, status: 200 });
  },
});

/**
 * Resources of the third level, written as rows, so that no function has a note about them.
 * @returns their ids
 */
async function writeResources(connection: Connection, { organization, chain }: World, size: number): Promise<string[]> {
  const environmentId = findEnvironment(connection);
  const [top = '', parentId = ''] = chain;
  return each(size, async (at) => {
    const id = newId('authz_resource');
    const named = { id, typeSlug: LEVELS[2] ?? '', externalId: `written-${at}`, name: 'Resource' };
    const placed = { organizationId: organization, parentId, ancestors: [parentId, top] };
    const { writes, claim } = createResource({ environmentId, ...named, ...placed });
    await applyWork(environmentId, systemActor, async (unit) => {
      unit.stage(claim === undefined ? writes : [...writes, claim]);
    });
    return id;
  });
}

/** Members of the organization, as rows, which no function has seen. @returns the ids of their memberships */
async function writeMembers(connection: Connection, { organization }: World, size: number): Promise<string[]> {
  const environmentId = findEnvironment(connection);
  return each(size, async () => {
    const userId = await writeUser(environmentId);
    return writeMembership(environmentId, { userId, organizationId: organization });
  });
}

/**
 * The ten members with a permission on a resource. The round trips are: resource and roles; holders; (members of groups;)
 * memberships; users.
 */
const membersOn = (name: string, groups: number, roundTrips: number): Case => ({
  name,
  kind: 'read',
  roundTrips,
  prepare: async (connection) => {
    const { organization, chain } = await newWorld(connection, 2);
    const environmentId = findEnvironment(connection);
    const resource = chain[1] ?? '';
    const path = `/organizations/${organization}/groups`;
    const group = groups === 0 ? undefined : (await create(connection, path, { name: 'Group' })).id;
    if (group !== undefined) {
      const role = { role_slug: 'reader-level-2', resource_id: resource };
      await create(connection, `/authorization/groups/${group}/role_assignments`, role);
    }
    await each(15, async (at) => {
      const userId = await writeUser(environmentId);
      const membership = await writeMembership(environmentId, { userId, organizationId: organization });
      const member = { organization_membership_id: membership };
      const members = `${path}/${group}/organization-memberships`;
      if (group !== undefined && at % 2 === 0) await connection.demand({ method: 'POST', path: members, body: member });
      else await assign(connection, membership, 1, resource);
    });
    const query = 'permission_slug=level-2:read&assignment=indirect';
    const list = `/authorization/resources/${resource}/organization_memberships?${query}`;
    return () => ({ method: 'GET', path: list, status: 200 });
  },
});

const reads: readonly Case[] = [
  checkAt(1),
  checkAt(3),
  checkAt(5),
  checkAt(3, 2),
  checkAt(3, 20),
  {
    name: 'authorization.check (external id, depth 3)',
    kind: 'read',
    prepare: async (connection) => {
      const { membership } = await newWorld(connection, 3);
      const named = { resource_external_id: 'resource-2-0', resource_type_slug: 'level-3' };
      const path = `/authorization/organization_memberships/${membership}/check`;
      return () => ({ method: 'POST', path, body: { permission_slug: 'level-3:read', ...named }, status: 200 });
    },
  },
  {
    // The round trips are: the membership and the resource, which predict the rest; then its organization and the resources
    // above it.
    name: 'authorization.check (depth 3, not seen)',
    kind: 'read',
    roundTrips: 2,
    usesUp: true,
    prepare: async (connection, size) => {
      const world = await newWorld(connection, 2);
      const resources = await writeResources(connection, world, size);
      return usingUp(resources, (id) => check({ ...world, chain: [...world.chain, id] }));
    },
  },
  {
    // The round trips are: the membership, then the resource by its external id, then its organization and the resources above
    // it.
    name: 'authorization.check (external id, depth 3, neither seen)',
    kind: 'read',
    roundTrips: 3,
    usesUp: true,
    most: 500,
    prepare: async (connection, size) => {
      const world = await newWorld(connection, 2);
      await writeResources(connection, world, size);
      const members = await writeMembers(connection, world, size);
      return usingUp(
        members.map((id, at) => ({ id, at })),
        ({ id, at }) => ({
          method: 'POST',
          path: `/authorization/organization_memberships/${id}/check`,
          body: {
            permission_slug: 'level-3:read',
            resource_external_id: `written-${at}`,
            resource_type_slug: LEVELS[2],
          },
          status: 200,
        }),
      );
    },
  },
  {
    name: 'authzen.evaluation (depth 3)',
    kind: 'read',
    prepare: async (connection) => {
      const { membership, chain } = await newWorld(connection, 3);
      const body = {
        subject: { type: 'organization_membership', id: membership },
        action: { name: 'level-3:read' },
        resource: { type: LEVELS[2], id: chain[2] },
      };
      return () => ({ method: 'POST', path: '/access/v1/evaluation', body, status: 200 });
    },
  },
  {
    // The page reads one kind of line after the other until it is full; resources are read with their parents before them.
    name: 'authorization.organizations.export (100 of 200 resources)',
    kind: 'read',
    roundTrips: 9,
    prepare: async (connection) => {
      const world = await newWorld(connection, 2);
      await writeResources(connection, world, 200);
      const path = `/x/authorization/organizations/${world.organization}/export?limit=100`;
      return () => ({ method: 'GET', path, status: 200 });
    },
  },
  {
    // The round trips are: the check of the parent, then its children.
    name: 'authorization.organization_memberships.resources (10 of 100)',
    kind: 'read',
    roundTrips: 2,
    prepare: async (connection) => {
      const world = await newWorld(connection, 2);
      await writeResources(connection, world, 100);
      const base = `/authorization/organization_memberships/${world.membership}/resources`;
      const path = `${base}?permission_slug=level-3:read&parent_resource_id=${world.chain[1]}`;
      return () => ({ method: 'GET', path, status: 200 });
    },
  },
  membersOn('authorization.resources.organization_memberships', 0, 4),
  membersOn('authorization.resources.organization_memberships (with a group)', 1, 5),
  checkMany(10),
  checkMany(100),
  {
    name: 'authorization.explain (depth 3)',
    kind: 'read',
    prepare: async (connection) => {
      const { membership, chain } = await newWorld(connection, 3);
      const question = { permission_slug: 'level-3:read', resource_id: chain[2] };
      const body = { organization_membership_id: membership, ...question };
      return () => ({ method: 'POST', path: '/x/authorization/explain', body, status: 200 });
    },
  },
  {
    name: 'authorization.resources.get',
    kind: 'read',
    prepare: async (connection) => {
      const { chain } = await newWorld(connection, 1);
      return () => ({ method: 'GET', path: `/authorization/resources/${chain[0]}`, status: 200 });
    },
  },
];

const mutations: readonly Case[] = [
  {
    name: 'authorization.resources.create',
    kind: 'mutation',
    prepare: async (connection) => {
      const { organization } = await newWorld(connection, 1);
      let at = 0;
      return () => {
        const body = { organization_id: organization, resource_type_slug: 'level-1', name: 'Resource' };
        const path = '/authorization/resources';
        return { method: 'POST', path, body: { ...body, external_id: `made-${(at += 1)}` }, status: 201 };
      };
    },
  },
  {
    name: 'authorization.resources.update (move)',
    kind: 'mutation',
    // The round trips are: the resource, then its parent and the model, then the commit.
    roundTrips: 3,
    prepare: async (connection) => {
      const { organization, chain } = await newWorld(connection, 2);
      const other = await newResource(connection, organization, 0, undefined, 1);
      let at = 0;
      return () => {
        const body = { parent_resource_id: (at += 1) % 2 === 0 ? chain[0] : other };
        return { method: 'PATCH', path: `/authorization/resources/${chain[1]}`, body, status: 200 };
      };
    },
  },
  {
    name: 'authorization.organization_memberships.role_assignments.create',
    kind: 'mutation',
    usesUp: true,
    most: 500,
    prepare: async (connection, size) => {
      const { organization, membership } = await newWorld(connection, 1);
      const made = await each(size, (at) => newResource(connection, organization, 0, undefined, at + 1));
      return usingUp(made, (id) => ({
        method: 'POST',
        path: assignments(membership),
        body: { role_slug: 'reader-level-1', resource_id: id },
        status: 201,
      }));
    },
  },
];

export const authorizationCases: CaseFile = { area: 'authorization', cases: [...reads, ...mutations] };

import { newId } from '../../../functions/kernel/ids.ts';
import type { Connection } from '../../support/connection.ts';
import { writeMembership, writeUser } from '../../support/user-rows.ts';
import { type Case, type CaseFile, each, type Expected, usingUp } from '../case.ts';
import { findEnvironment } from './environment.ts';
import { createOrganization } from './organizations.ts';

const USERS = '/user_management/users';
const MEMBERSHIPS = '/user_management/organization_memberships';

const get = (path: string): Expected => ({ method: 'GET', path, status: 200 });

const full = (at: number) => ({
  email: `person-${at}@example.com`,
  email_verified: true,
  first_name: 'Ada',
  last_name: 'Lovelace',
  external_id: `own-${at}`,
  metadata: { tier: 'gold', region: 'north' },
});

const create = (connection: Connection, at: number): Promise<{ id: string }> =>
  connection.demand<{ id: string }>({ method: 'POST', path: USERS, body: full(at) });

/** An organization with so many members. @returns its id */
async function readOrganization(connection: Connection, members: number): Promise<string> {
  const { id: organizationId } = await createOrganization(connection);
  await each(members, async () => {
    const userId = await writeUser(findEnvironment(connection));
    return writeMembership(findEnvironment(connection), { userId, organizationId });
  });
  return organizationId;
}

const reads: readonly Case[] = [
  {
    name: 'users.get',
    kind: 'read',
    isSimple: true,
    prepare: async (connection) => {
      const { id } = await create(connection, 1);
      return () => get(`${USERS}/${id}`);
    },
  },
  {
    name: 'users.get_by_external_id',
    kind: 'read',
    // The round trips are: the row of the unique value, then the record. Both reads are strongly consistent; a read of an index is not.
    roundTrips: 2,
    prepare: async (connection) => {
      await create(connection, 1);
      return () => get(`${USERS}/external_id/own-1`);
    },
  },
  {
    name: 'users.list (by email)',
    kind: 'read',
    roundTrips: 2,
    prepare: async (connection) => {
      await create(connection, 1);
      return () => get(`${USERS}?email=Person-1@example.com`);
    },
  },
  {
    name: 'users.list (10)',
    kind: 'read',
    prepare: async (connection) => {
      await each(60, (at) => create(connection, at));
      return () => get(USERS);
    },
  },
  {
    name: 'users.list (100)',
    kind: 'read',
    prepare: async (connection) => {
      await each(120, (at) => create(connection, at));
      return () => get(`${USERS}?limit=100`);
    },
  },
  {
    name: 'users.list (10 of an organization)',
    kind: 'read',
    // The round trips are: the index of the organization's users, then their records.
    roundTrips: 2,
    prepare: async (connection) => {
      const organizationId = await readOrganization(connection, 30);
      return () => get(`${USERS}?organization_id=${organizationId}`);
    },
  },
  {
    name: 'organization_memberships.get',
    kind: 'read',
    // The round trips are: the membership, then its user and its organization in parallel.
    roundTrips: 2,
    prepare: async (connection) => {
      const { id: organizationId } = await createOrganization(connection);
      const userId = await writeUser(findEnvironment(connection));
      const id = await writeMembership(findEnvironment(connection), { userId, organizationId });
      return () => get(`${MEMBERSHIPS}/${id}`);
    },
  },
  {
    name: 'organization_memberships.list (10 of an organization)',
    kind: 'read',
    roundTrips: 2,
    prepare: async (connection) => {
      const organizationId = await readOrganization(connection, 30);
      return () => get(`${MEMBERSHIPS}?organization_id=${organizationId}`);
    },
  },
];

const mutations: readonly Case[] = [
  {
    name: 'users.create',
    kind: 'mutation',
    prepare: async () => () => ({
      method: 'POST',
      path: USERS,
      body: { email: `${newId('user')}@example.com` },
      status: 201,
    }),
  },
  {
    name: 'users.create (all members)',
    kind: 'mutation',
    prepare: async () => {
      let at = 0;
      return () => ({ method: 'POST', path: USERS, body: full(at++), status: 201 });
    },
  },
  {
    name: 'users.update',
    kind: 'mutation',
    prepare: async (connection) => {
      const made = await each(64, (at) => create(connection, at));
      let at = 0;
      return () => ({
        method: 'PUT',
        path: `${USERS}/${made[at++ % made.length]?.id}`,
        body: { metadata: { at: String(at) } },
        status: 200,
      });
    },
  },
  {
    name: 'users.delete',
    kind: 'mutation',
    usesUp: true,
    // The round trips are: the record, then its sessions, which are revoked in the same transaction.
    roundTrips: 3,
    prepare: async (connection, size) => {
      const made = await each(size, (at) => create(connection, at));
      return usingUp(made, ({ id }) => ({ method: 'DELETE', path: `${USERS}/${id}`, status: 200 }));
    },
  },
  {
    name: 'organization_memberships.create',
    kind: 'mutation',
    usesUp: true,
    prepare: async (connection, size) => {
      const { id: organization_id } = await createOrganization(connection);
      const users = await each(size, () => writeUser(findEnvironment(connection)));
      return usingUp(users, (user_id) => ({
        method: 'POST',
        path: MEMBERSHIPS,
        body: { user_id, organization_id },
        status: 201,
      }));
    },
  },
];

export const userCases: CaseFile = { area: 'user-management', cases: [...reads, ...mutations] };

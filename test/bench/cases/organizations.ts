import type { Connection } from '../../support/connection.ts';
import { type Case, type CaseFile, each, type Expected, usingUp } from '../case.ts';

interface Created {
  id: string;
}

/** Creates an organization. */
export const createOrganization = (connection: Connection, body: object = { name: 'Acme' }): Promise<Created> =>
  connection.demand<Created>({ method: 'POST', path: '/organizations', body });

const post = (path: string, body: object, headers = {}): Expected => ({
  method: 'POST',
  path,
  body,
  headers,
  status: 201,
});
const get = (path: string): Expected => ({ method: 'GET', path, status: 200 });

const simple = (at: number) => ({ name: `Organization ${at}` });
const full = (at: number) => ({
  name: `Organization ${at} of the north`,
  external_id: `customer-${at}`,
  metadata: { tier: 'gold', region: 'north' },
  domain_data: [{ domain: `organization-${at}.example`, state: 'verified' }],
});

const reads: readonly Case[] = [
  {
    name: 'organizations.get',
    kind: 'read',
    isSimple: true,
    prepare: async (connection) => {
      const { id } = await createOrganization(connection, full(1));
      return () => get(`/organizations/${id}`);
    },
  },
  {
    name: 'organizations.get_by_external_id',
    kind: 'read',
    // The round trips are: the row of the unique value, then the record. Both reads are strongly consistent; a read of an index is not.
    roundTrips: 2,
    prepare: async (connection) => {
      await createOrganization(connection, full(1));
      return () => get('/organizations/external_id/customer-1');
    },
  },
  {
    name: 'organizations.list (10)',
    kind: 'read',
    prepare: async (connection) => {
      await each(60, (at) => createOrganization(connection, full(at)));
      return () => get('/organizations');
    },
  },
  {
    name: 'organizations.list (100)',
    kind: 'read',
    cpuAboveBaselineMs: 3.5,
    prepare: async (connection) => {
      await each(120, (at) => createOrganization(connection, full(at)));
      return () => get('/organizations?limit=100');
    },
  },
  {
    name: 'organizations.list (search)',
    kind: 'read',
    // The round trips are: the rows of words, then the page's records.
    roundTrips: 2,
    prepare: async (connection) => {
      await each(60, (at) => createOrganization(connection, full(at)));
      return () => get('/organizations?search=north');
    },
  },
];

const mutations: readonly Case[] = [
  {
    name: 'organizations.create',
    kind: 'mutation',
    cpuAboveBaselineMs: 1,
    prepare: async () => {
      let at = 0;
      return () => post('/organizations', simple(at++));
    },
  },
  {
    name: 'organizations.create (all members)',
    kind: 'mutation',
    prepare: async () => {
      let at = 0;
      return () => post('/organizations', full(at++));
    },
  },
  {
    name: 'organizations.create (idempotent, first)',
    kind: 'mutation',
    prepare: async () => {
      let at = 0;
      return () => post('/organizations', simple(1), { 'idempotency-key': `key-${at++}` });
    },
  },
  {
    name: 'organizations.create (idempotent replay)',
    kind: 'mutation',
    // The round trips are: the commit that conflicts with the first call's row, that row, and whether the record that it
    // names still exists.
    roundTrips: 3,
    prepare: async (connection) => {
      const request = post('/organizations', simple(1), { 'idempotency-key': 'key' });
      await connection.demand(request);
      return () => request;
    },
  },
  {
    name: 'organizations.update',
    kind: 'mutation',
    prepare: async (connection) => {
      const made = await each(64, (at) => createOrganization(connection, full(at)));
      let at = 0;
      return () => {
        const id = made[at++ % made.length]?.id;
        return { method: 'PUT', path: `/organizations/${id}`, body: { metadata: { at: String(at) } }, status: 200 };
      };
    },
  },
  {
    name: 'organizations.delete',
    kind: 'mutation',
    usesUp: true,
    prepare: async (connection, size) => {
      const made = await each(size, (at) => createOrganization(connection, simple(at)));
      return usingUp(made, ({ id }) => ({ method: 'DELETE', path: `/organizations/${id}`, status: 202 }));
    },
  },
];

export const organizationCases: CaseFile = { area: 'organizations', cases: [...reads, ...mutations] };

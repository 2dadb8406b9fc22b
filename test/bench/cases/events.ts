import { setTimeout as delay } from 'node:timers/promises';

import { type CaseFile, each } from '../case.ts';
import { createOrganization } from './organizations.ts';

/** Time in ms until events are settled, slightly more than the local horizon of GET /events. */
const SETTLED_MS = 400;

export const eventCases: CaseFile = {
  area: 'events',
  cases: [
    {
      name: 'events.list (10)',
      kind: 'read',
      prepare: async (connection) => {
        await each(60, () => createOrganization(connection));
        await delay(SETTLED_MS);
        return () => ({ method: 'GET', path: '/events?events=organization.created', status: 200 });
      },
    },
    {
      name: 'events.list (one organization)',
      kind: 'read',
      // With a selective filter, partitions are read once more before a short page is returned (functions/record/events/README.md).
      roundTrips: 2,
      prepare: async (connection) => {
        const [first] = await each(60, () => createOrganization(connection));
        await delay(SETTLED_MS);
        const path = `/events?events=organization.created&organization_id=${first?.id}`;
        return () => ({ method: 'GET', path, status: 200 });
      },
    },
    {
      name: 'events.list_by_subject (a user)',
      kind: 'read',
      prepare: async (connection) => {
        const body = { email: 'ada@acme.example' };
        const { id } = await connection.demand<{ id: string }>({
          method: 'POST',
          path: '/user_management/users',
          body,
        });
        await each(20, async (at) => {
          const change = { first_name: `Ada ${at}` };
          await connection.demand({ method: 'PUT', path: `/user_management/users/${id}`, body: change });
        });
        await delay(SETTLED_MS);
        return () => ({ method: 'GET', path: `/x/events?subject=${id}`, status: 200 });
      },
    },
    {
      name: 'events.list_by_subject (an organization)',
      kind: 'read',
      prepare: async (connection) => {
        const { id } = await createOrganization(connection);
        await delay(SETTLED_MS);
        return () => ({ method: 'GET', path: `/x/events?subject=${id}`, status: 200 });
      },
    },
    {
      name: 'users.at',
      kind: 'read',
      // The user, then the events before and after the moment.
      roundTrips: 2,
      prepare: async (connection) => {
        const body = { email: 'ada@acme.example' };
        const { id } = await connection.demand<{ id: string }>({
          method: 'POST',
          path: '/user_management/users',
          body,
        });
        await delay(SETTLED_MS);
        const time = new Date(Date.now() - 10_000).toISOString();
        return () => ({ method: 'GET', path: `/x/user-management/users/${id}/at?time=${time}`, status: 200 });
      },
    },
    {
      name: 'environment.attention',
      kind: 'read',
      // The lists, then the health of the endpoints.
      roundTrips: 2,
      prepare: async (connection) => {
        const body = { endpoint_url: 'http://127.0.0.1:9/hooks', events: ['waitlist_user.created'] };
        await connection.demand({ method: 'POST', path: '/webhook_endpoints', body });
        return () => ({ method: 'GET', path: '/x/environment/attention', status: 200 });
      },
    },
    {
      name: 'search.query (an id)',
      kind: 'read',
      prepare: async (connection) => {
        const { id } = await createOrganization(connection);
        return () => ({ method: 'GET', path: `/x/search?q=${id}`, status: 200 });
      },
    },
    {
      name: 'search.query (an address)',
      kind: 'read',
      // One wave of lookups, then the records that they named.
      roundTrips: 2,
      prepare: async (connection) => {
        const body = { email: 'ada@acme.example' };
        await connection.demand({ method: 'POST', path: '/user_management/users', body });
        return () => ({ method: 'GET', path: '/x/search?q=ada@acme.example', status: 200 });
      },
    },
    {
      name: 'search.query (100 addresses)',
      kind: 'read',
      roundTrips: 2,
      prepare: async (connection) => {
        const emails = Array.from({ length: 100 }, (_, at) => `p${at}@acme.example`);
        await each(100, async (at) => {
          await connection.demand({ method: 'POST', path: '/user_management/users', body: { email: emails[at] } });
        });
        return () => ({ method: 'GET', path: `/x/search?q=${emails.join(',')}`, status: 200 });
      },
    },
    {
      name: 'search.query (words)',
      kind: 'read',
      roundTrips: 2,
      prepare: async (connection) => {
        await each(60, () => createOrganization(connection));
        return () => ({ method: 'GET', path: '/x/search?q=acme', status: 200 });
      },
    },
  ],
};

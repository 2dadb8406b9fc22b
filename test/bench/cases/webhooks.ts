import { setTimeout as delay } from 'node:timers/promises';

import { type CaseFile, each, type Expected, usingUp } from '../case.ts';

interface Endpoint {
  id: string;
}

/** Time in ms until events are settled, slightly more than the local horizon of GET /events. */
const SETTLED_MS = 400;

/** Maximum number of endpoints of an environment. */
const MOST = 100;

const endpoint = (at: number): Expected => ({
  method: 'POST',
  path: '/webhook_endpoints',
  // The URL is on a loopback port without a server, and these cases never cause the event.
  body: { endpoint_url: `http://127.0.0.1:9/hooks/${at}`, events: ['waitlist_user.created'] },
  status: 201,
});

export const webhookCases: CaseFile = {
  area: 'webhooks',
  cases: [
    {
      name: 'webhook_endpoints.list',
      kind: 'read',
      prepare: async (connection) => {
        await each(10, (at) => connection.demand(endpoint(at)));
        return () => ({ method: 'GET', path: '/webhook_endpoints', status: 200 });
      },
    },
    {
      name: 'webhook_endpoints.get',
      kind: 'read',
      isSimple: true,
      prepare: async (connection) => {
        const { id } = await connection.demand<Endpoint>(endpoint(0));
        return () => ({ method: 'GET', path: `/x/webhook_endpoints/${id}`, status: 200 });
      },
    },
    {
      name: 'webhook_deliveries.list',
      kind: 'read',
      prepare: async (connection) => {
        const { id } = await connection.demand<Endpoint>(endpoint(0));
        return () => ({ method: 'GET', path: `/x/webhook_endpoints/${id}/deliveries`, status: 200 });
      },
    },
    {
      // The event and the endpoints, then the deliveries.
      name: 'event_deliveries.list',
      kind: 'read',
      roundTrips: 2,
      prepare: async (connection) => {
        await each(10, (at) => connection.demand(endpoint(at)));
        await connection.demand({ method: 'POST', path: '/organizations', body: { name: 'Acme' } });
        await delay(SETTLED_MS);
        const path = '/events?events=organization.created';
        const { data } = await connection.demand<{ data: Endpoint[] }>({ method: 'GET', path });
        return () => ({ method: 'GET', path: `/x/events/${data[0]?.id}/deliveries`, status: 200 });
      },
    },
    {
      name: 'webhook_endpoints.create',
      kind: 'mutation',
      usesUp: true,
      most: MOST,
      prepare: async () => usingUp([...Array(MOST).keys()], endpoint),
    },
    {
      name: 'webhook_endpoints.update',
      kind: 'mutation',
      prepare: async (connection) => {
        const made = await each(64, (at) => connection.demand<Endpoint>(endpoint(at)));
        let at = 0;
        return () => ({
          method: 'PATCH',
          path: `/webhook_endpoints/${made[at++ % made.length]?.id}`,
          body: { events: ['waitlist_user.created', 'waitlist_user.denied'] },
          status: 200,
        });
      },
    },
    {
      name: 'webhook_endpoints.delete',
      kind: 'mutation',
      usesUp: true,
      most: MOST,
      prepare: async (connection) => {
        const made = await each(MOST, (at) => connection.demand<Endpoint>(endpoint(at)));
        return usingUp(made, ({ id }) => ({ method: 'DELETE', path: `/webhook_endpoints/${id}`, status: 204 }));
      },
    },
  ],
};

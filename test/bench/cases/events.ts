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
      // A selective filter reads its partitions once more before it returns a short page (functions/events/README.md).
      roundTrips: 2,
      prepare: async (connection) => {
        const [first] = await each(60, () => createOrganization(connection));
        await delay(SETTLED_MS);
        const path = `/events?events=organization.created&organization_id=${first?.id}`;
        return () => ({ method: 'GET', path, status: 200 });
      },
    },
  ],
};

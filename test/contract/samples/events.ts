import { randomUUID } from 'node:crypto';

import { type Api, type AreaSamples, organization } from './sample.ts';

/** A time one minute ago, before the records of these tests existed. */
const moment = (): string => new Date(Date.now() - 60_000).toISOString();

const userSample = async ({ create }: Api): Promise<Record<string, string>> => ({
  id: String((await create('/user_management/users', { email: `${randomUUID()}@acme.example` })).id),
});

const membershipSample = async (api: Api): Promise<Record<string, string>> => {
  const { id: user_id } = await userSample(api);
  const body = { user_id, organization_id: await organization(api) };
  return { id: String((await api.create('/user_management/organization_memberships', body)).id) };
};

export const eventSamples: AreaSamples = {
  params: {
    '/x/user-management/users/{id}/at': userSample,
    '/x/organizations/{id}/at': async (api) => ({ id: await organization(api) }),
    '/x/user-management/organization_memberships/{id}/at': membershipSample,
  },
  queries: {
    'users.at': { time: moment() },
    'organizations.at': { time: moment() },
    'organization_memberships.at': { time: moment() },
    'events.list': { events: 'organization.created' },
    'events.list_by_subject': { subject: 'ada@acme.example' },
    'search.query': { q: 'acme' },
  },
};

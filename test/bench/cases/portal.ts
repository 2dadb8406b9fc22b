import type { Connection } from '../../support/connection.ts';
import type { CaseFile } from '../case.ts';

/** A link into the portal of a new organization. */
async function newLink(connection: Connection, organization: string): Promise<string> {
  const body = { organization, intent: 'dsync' };
  const { link } = await connection.demand<{ link: string }>({ method: 'POST', path: '/portal/generate_link', body });
  return new URL(link).pathname;
}

const newOrganization = async (connection: Connection): Promise<string> =>
  (await connection.demand<{ id: string }>({ method: 'POST', path: '/organizations', body: { name: 'Acme' } })).id;

export const portalCases: CaseFile = {
  area: 'portal',
  cases: [
    {
      name: 'portal.generate_link',
      kind: 'mutation',
      prepare: async (connection) => {
        const body = { organization: await newOrganization(connection) };
        return () => ({ method: 'POST', path: '/portal/generate_link', body, status: 201 });
      },
    },
    {
      // The round trips are: the link, then the organization. The settings of pages are cached.
      name: 'portal.show_link',
      kind: 'read',
      roundTrips: 2,
      prepare: async (connection) => {
        const path = await newLink(connection, await newOrganization(connection));
        return () => ({ method: 'GET', path, headers: { accept: 'text/html' }, key: null, status: 200 });
      },
    },
  ],
};

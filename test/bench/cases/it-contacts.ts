import type { Connection } from '../../support/connection.ts';
import { type CaseFile, each, usingUp } from '../case.ts';
import { createOrganization } from './organizations.ts';

/** Creates an organization with one contact. @returns the path of the contact */
async function createContact(connection: Connection): Promise<string> {
  const { id } = await createOrganization(connection);
  const path = `/organizations/${id}/it_contacts`;
  const body = { email: 'it@acme.example' };
  const contact = await connection.demand<{ id: string }>({ method: 'POST', path, body });
  return `${path}/${contact.id}`;
}

export const itContactCases: CaseFile = {
  area: 'organizations',
  cases: [
    {
      name: 'it_contacts.list',
      kind: 'read',
      prepare: async (connection) => {
        const path = (await createContact(connection)).replace(/\/[^/]+$/, '');
        return () => ({ method: 'GET', path, status: 200 });
      },
    },
    {
      name: 'it_contacts.create',
      kind: 'mutation',
      usesUp: true,
      prepare: async (connection, size) => {
        const made = await each(size, () => createOrganization(connection));
        return usingUp(made, ({ id }) => ({
          method: 'POST',
          path: `/organizations/${id}/it_contacts`,
          body: { email: 'it@acme.example' },
          status: 201,
        }));
      },
    },
    {
      name: 'it_contacts.invite',
      kind: 'mutation',
      usesUp: true,
      prepare: async (connection, size) => {
        const made = await each(size, () => createContact(connection));
        return usingUp(made, (path) => ({
          method: 'POST',
          path: `${path}/invite`,
          body: { intents: ['sso'] },
          status: 204,
        }));
      },
    },
  ],
};

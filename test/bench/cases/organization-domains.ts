import { type CaseFile, each, usingUp } from '../case.ts';
import { createOrganization } from './organizations.ts';

interface Domain {
  id: string;
}

export const organizationDomainCases: CaseFile = {
  area: 'organizations',
  cases: [
    {
      name: 'organization_domains.get',
      kind: 'read',
      isSimple: true,
      prepare: async (connection) => {
        const body = { organization_id: (await createOrganization(connection)).id, domain: 'acme.example' };
        const { id } = await connection.demand<Domain>({ method: 'POST', path: '/organization_domains', body });
        return () => ({ method: 'GET', path: `/organization_domains/${id}`, status: 200 });
      },
    },
    {
      name: 'organization_domains.create',
      kind: 'mutation',
      usesUp: true,
      prepare: async (connection, size) => {
        const made = await each(size, () => createOrganization(connection));
        return usingUp(made, ({ id }) => ({
          method: 'POST',
          path: '/organization_domains',
          body: { organization_id: id, domain: 'acme.example' },
          status: 201,
        }));
      },
    },
    {
      name: 'organization_domains.delete',
      kind: 'mutation',
      usesUp: true,
      prepare: async (connection, size) => {
        const made = await each(size, async () => {
          const body = { organization_id: (await createOrganization(connection)).id, domain: 'acme.example' };
          return connection.demand<Domain>({ method: 'POST', path: '/organization_domains', body });
        });
        return usingUp(made, ({ id }) => ({ method: 'DELETE', path: `/organization_domains/${id}`, status: 204 }));
      },
    },
  ],
};

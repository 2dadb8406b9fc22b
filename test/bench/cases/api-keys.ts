import type { CaseFile } from '../case.ts';
import { createOrganization } from './organizations.ts';

export const apiKeyCases: CaseFile = {
  area: 'api-keys',
  cases: [
    {
      // A key-verification service that left serverless because of latency publishes, for comparison, 10 ms at p50 and 30 ms
      // at p99.
      name: 'api_keys.validate',
      kind: 'read',
      prepare: async (connection) => {
        const { id } = await createOrganization(connection);
        const body = { name: 'CI', permissions: ['widgets:sso:manage'] };
        const path = `/organizations/${id}/api_keys`;
        const { value } = await connection.demand<{ value: string }>({ method: 'POST', path, body });
        return () => ({ method: 'POST', path: '/api_keys/validations', body: { value }, status: 200 });
      },
    },
    {
      name: 'api_keys.validate (malformed)',
      kind: 'refusal',
      prepare: async () => () => ({
        method: 'POST',
        path: '/api_keys/validations',
        body: { value: 'sk_api_not-a-key' },
        status: 200,
      }),
    },
    {
      name: 'organization_api_keys.create',
      kind: 'mutation',
      prepare: async (connection) => {
        const path = `/organizations/${(await createOrganization(connection)).id}/api_keys`;
        return () => ({ method: 'POST', path, body: { name: 'CI' }, status: 201 });
      },
    },
  ],
};

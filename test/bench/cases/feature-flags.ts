import type { CaseFile } from '../case.ts';

export const featureFlagCases: CaseFile = {
  area: 'feature-flags',
  cases: [
    {
      name: 'feature_flags.poll (unchanged)',
      kind: 'read',
      prepare: async (connection) => {
        for (let at = 0; at < 20; at += 1) {
          const body = { slug: `flag-${at}`, name: 'Flag', enabled: true };
          await connection.demand({ method: 'POST', path: '/x/feature-flags', body });
        }
        const path = '/sdk/feature-flags';
        const { headers } = await connection.send({ method: 'GET', path });
        const known = { 'if-none-match': String(headers.etag) };
        return () => ({ method: 'GET', path, headers: known, status: 304 });
      },
    },
  ],
};

import type { CaseFile } from '../case.ts';

let made = 0;
const team = () => ({ name: 'Acme', admin_email: `admin${(made += 1)}@acme.example` });

export const platformCases: CaseFile = {
  area: 'platform',
  cases: [
    {
      name: 'platform_teams.get',
      kind: 'read',
      prepare: async (connection) => {
        const { id } = await connection.demand<{ id: string }>({
          method: 'POST',
          path: '/platform/teams',
          body: team(),
        });
        return () => ({ method: 'GET', path: `/platform/teams/${id}`, status: 200 });
      },
    },
    {
      name: 'platform_teams.create',
      kind: 'mutation',
      // The counter of teams is an exact one, and counts only what is not rejected: it is after the address's row.
      roundTrips: 3,
      most: 15,
      prepare: async () => () => ({ method: 'POST', path: '/platform/teams', body: team(), status: 201 }),
    },
  ],
};

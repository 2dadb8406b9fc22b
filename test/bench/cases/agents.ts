import type { CaseFile } from '../case.ts';

export const agentCases: CaseFile = {
  area: 'agents',
  cases: [
    {
      name: 'agent_blueprints.get',
      kind: 'read',
      isSimple: true,
      prepare: async (connection) => {
        const body = { name: 'Triage' };
        const { id } = await connection.demand<{ id: string }>({ method: 'POST', path: '/agents/blueprints', body });
        return () => ({ method: 'GET', path: `/agents/blueprints/${id}`, status: 200 });
      },
    },
  ],
};

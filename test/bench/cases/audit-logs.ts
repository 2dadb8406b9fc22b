import type { CaseFile } from '../case.ts';
import { createOrganization } from './organizations.ts';

type Connection = Parameters<CaseFile['cases'][number]['prepare']>[0];

const eventOf = (organizationId: string) => ({
  organization_id: organizationId,
  event: {
    action: 'user.signed_in',
    occurred_at: '2026-01-15T12:00:00.000Z',
    actor: { id: 'user_1', type: 'user', name: 'Ada', metadata: { role: 'admin' } },
    targets: [{ id: 'team_1', type: 'team', name: 'Blue', metadata: { seats: 5 } }],
    context: { location: '192.0.2.1', user_agent: 'Mozilla/5.0' },
    metadata: { trusted: true },
  },
});

/** An organization whose events of one action are checked against a schema. */
async function prepared(connection: Connection): Promise<string> {
  const { id } = await createOrganization(connection);
  const schema = {
    actor: { metadata: { type: 'object', properties: { role: { type: 'string' } } } },
    targets: [{ type: 'team', metadata: { type: 'object', properties: { seats: { type: 'number' } } } }],
    metadata: { type: 'object', properties: { trusted: { type: 'boolean' } } },
  };
  await connection.demand({ method: 'POST', path: '/audit_logs/actions/user.signed_in/schemas', body: schema });
  return id;
}

export const auditLogCases: CaseFile = {
  area: 'audit-logs',
  cases: [
    {
      name: 'audit_logs.create_event',
      kind: 'mutation',
      // Organization and action are cached, and the hour is marked, so it is one conditional write.
      roundTrips: 1,
      prepare: async (connection) => {
        const body = eventOf(await prepared(connection));
        return () => ({ method: 'POST', path: '/audit_logs/events', body, status: 200 });
      },
    },
    {
      name: 'audit_logs.get_retention',
      kind: 'read',
      prepare: async (connection) => {
        const path = `/organizations/${await prepared(connection)}/audit_logs_retention`;
        return () => ({ method: 'GET', path, status: 200 });
      },
    },
    {
      name: 'audit_logs.create_export',
      kind: 'mutation',
      prepare: async (connection) => {
        const range = { range_start: '2026-01-01T00:00:00.000Z', range_end: '2026-02-01T00:00:00.000Z' };
        const body = { organization_id: await prepared(connection), ...range };
        return () => ({ method: 'POST', path: '/audit_logs/exports', body, status: 201 });
      },
    },
  ],
};

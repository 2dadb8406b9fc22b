import { randomUUID } from 'node:crypto';

import { exports } from '../../../functions/record/audit-logs/export/entity.ts';
import { systemActor } from '../../../functions/kernel/authentication/caller.ts';
import { applyWork } from '../../../functions/kernel/storage/background.ts';
import { type Api, type AreaSamples, organization } from './sample.ts';

const ofOrganization = async (api: Api): Promise<Record<string, string>> => ({ id: await organization(api) });

const action = async ({ create }: Api): Promise<string> => {
  const name = `user.${randomUUID()}`;
  await create(`/audit_logs/actions/${name}/schemas`, { targets: [{ type: 'team' }] });
  return name;
};

const range = { range_start: '2026-01-01T00:00:00.000Z', range_end: '2026-02-01T00:00:00.000Z' };

const ofExport = async (api: Api): Promise<Record<string, string>> => {
  const body = { organization_id: await organization(api), ...range };
  return { auditLogExportId: String((await api.create('/audit_logs/exports', body)).id) };
};

/** A finished export, created without the worker. */
const ofReadyExport = async (api: Api): Promise<Record<string, string>> => {
  const { auditLogExportId: id = '' } = await ofExport(api);
  await applyWork(api.environmentId, systemActor, async (unit) => {
    const record = await exports.get(api.environmentId, id);
    if (record === undefined) return;
    unit.stage(exports.revise(record, { state: 'ready', rows: 0, endsAt: '2100-01-01T00:00:00.000Z' }).write);
  });
  return { auditLogExportId: id };
};

const withStream = async (api: Api): Promise<Record<string, string>> => {
  const id = await organization(api);
  const body = JSON.stringify({ type: 'GenericHttps', url: 'https://example.com/logs' });
  await api.send('PUT', `/x/organizations/${id}/audit_log_stream`, { body });
  return { id };
};

export const auditLogSamples: AreaSamples = {
  params: {
    '/audit_logs/actions/{actionName}/schemas': async (api) => ({ actionName: await action(api) }),
    '/audit_logs/exports/{auditLogExportId}': ofExport,
    '/x/audit_logs/exports/{auditLogExportId}/proof': ofReadyExport,
    '/x/audit_logs/events': async (api) => ({ organization_id: await organization(api) }),
    '/x/audit_logs/exports': async (api) => ({ organization_id: await organization(api) }),
    '/organizations/{id}/audit_log_configuration': ofOrganization,
    '/organizations/{id}/audit_logs_retention': ofOrganization,
    '/x/organizations/{id}/audit_log_stream': withStream,
  },
  bodies: {
    'audit_logs.create_event': async (api) => ({
      organization_id: await organization(api),
      event: {
        action: await action(api),
        occurred_at: '2026-01-15T12:00:00.000Z',
        actor: { id: 'user_1', type: 'user' },
        targets: [{ id: 'team_1', type: 'team' }],
        context: { location: '192.0.2.1' },
      },
    }),
    'audit_logs.create_export': async (api) => ({ organization_id: await organization(api), ...range }),
    'audit_logs.put_stream': async () => ({ type: 'GenericHttps', url: 'https://example.com/logs' }),
  },
};

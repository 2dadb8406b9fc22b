import { httpEntry } from '../../kernel/http/entry.ts';
import { eventEntry, queueEntry, scheduleEntry } from '../../kernel/http/worker.ts';
import { performWork } from '../../kernel/storage/work.ts';
import { listExportWork, makeListExport } from '../modules/exports/public.ts';
import { auditLogsArea } from './area.ts';
import { eraseAuditLogs } from './erasure.ts';
import { perform } from './perform.ts';
import { enqueueDueWork } from './schedule.ts';

export const http = httpEntry(auditLogsArea);

export const schedule = scheduleEntry('audit-logs-schedule', enqueueDueWork);

export const process = queueEntry('audit-logs-process', perform);

export const collect = eventEntry('audit-logs-collect', (detail) =>
  performWork(detail, [listExportWork.by(makeListExport)]),
);

export const erase = eventEntry('audit-logs-erase', ({ environment_id, organization_id }) =>
  organization_id === undefined ? Promise.resolve() : eraseAuditLogs(environment_id, organization_id),
);

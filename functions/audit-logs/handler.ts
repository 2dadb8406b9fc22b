import { httpEntry } from '../kernel/http/entry.ts';
import { eventEntry, queueEntry, scheduleEntry } from '../kernel/http/worker.ts';
import { auditLogsArea } from './area.ts';
import { eraseAuditLogs } from './erasure.ts';
import { perform } from './perform.ts';
import { enqueueDueWork } from './schedule.ts';

export const http = httpEntry(auditLogsArea);

export const schedule = scheduleEntry('audit-logs-schedule', enqueueDueWork);

export const process = queueEntry('audit-logs-process', perform);

export const erase = eventEntry('audit-logs-erase', ({ environment_id, organization_id }) =>
  organization_id === undefined ? Promise.resolve() : eraseAuditLogs(environment_id, organization_id),
);

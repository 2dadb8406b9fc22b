import { httpEntry } from '../kernel/http/entry.ts';
import { eventEntry, queueEntry, scheduleEntry } from '../kernel/http/worker.ts';
import { auditLogsArea } from './area.ts';
import { eraseAuditLogs } from './erasure.ts';
import { perform } from './perform.ts';
import { tend as handOutDueWork } from './tend.ts';

export const http = httpEntry(auditLogsArea);

export const tend = scheduleEntry('audit-logs-tend', handOutDueWork);

export const work = queueEntry('audit-logs-work', perform);

export const erase = eventEntry('audit-logs-erase', ({ environment_id, organization_id }) =>
  organization_id === undefined ? Promise.resolve() : eraseAuditLogs(environment_id, organization_id),
);

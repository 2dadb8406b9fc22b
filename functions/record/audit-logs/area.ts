import { area } from '../../kernel/area.ts';
import { messages } from '../../kernel/http/error-response.ts';
import { onWork, WORK_TIMEOUT_SECONDS } from '../../kernel/storage/work.ts';
import { listExportWork, resourceExportOperations } from '../modules/exports/export/operations.ts';
import { actionOperations } from './action/operations.ts';
import { eventOperations } from './event/operations.ts';
import { exportOperations } from './export/operations.ts';
import { retentionOperations } from './retention/operations.ts';
import { streamOperations } from './stream/operations.ts';

export const auditLogsArea = area({
  name: 'audit-logs',
  group: 'record',
  summary: 'Audit logs: a tamper-evident record of what users did',
  errorForm: messages,
  needs: ['table', 'keys', 'egress', 'bucket:audit:read', 'evidence-key'],
  operations: [
    ...actionOperations,
    ...eventOperations,
    ...exportOperations,
    ...resourceExportOperations,
    ...retentionOperations,
    ...streamOperations,
  ],
  workers: [
    {
      name: 'schedule',
      summary:
        'Enqueues the work that is due: hours to seal, retention, streams, exports that are unfinished or expire',
      on: { kind: 'schedule', everyMinutes: 1 },
      needs: ['table', 'queue:audit-logs'],
      timeoutSeconds: 55,
    },
    {
      name: 'process',
      summary: 'Seals hours, makes exports, erases what is past its retention, delivers log streams',
      on: { kind: 'queue', queue: 'audit-logs' },
      needs: ['table', 'keys', 'egress', 'bucket:audit', 'bucket:audit-roots', 'evidence-key', 'queue:audit-logs'],
      timeoutSeconds: 900,
      memoryMb: 1_769,
    },
    {
      name: 'collect',
      summary: 'Collects the records of exports of lists that operators ask for, with the grant of each export',
      on: onWork(listExportWork),
      needs: ['table', 'keys', 'base-url', 'bucket:audit:write', 'bucket:audit:erase'],
      timeoutSeconds: WORK_TIMEOUT_SECONDS,
    },
    {
      name: 'erase',
      summary: 'Erases what a deleted organization recorded',
      on: { kind: 'events', events: ['organization.deleted'] },
      needs: ['table', 'bucket:audit:erase'],
      timeoutSeconds: 900,
    },
  ],
});

import * as z from 'zod';
import type { EventFamily } from './family.ts';
import { text } from './values.ts';

const ResourceExport = z.object({
  id: text,
  resource_type: z.enum([
    'users',
    'organizations',
    'events',
    'sessions',
    'auditLogEvents',
    'connections',
    'directoryUsers',
  ]),
});

/** Exports of an environment's records. */
export const resourceExportEvents = {
  'resource_export.completed': { data: ResourceExport, subscribable: false },
  'resource_export.created': { data: ResourceExport, subscribable: false },
  'resource_export.downloaded': { data: ResourceExport, subscribable: false },
  'resource_export.failed': { data: ResourceExport, subscribable: false },
} as const satisfies EventFamily<'resource_export.'>;

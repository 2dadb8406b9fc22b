import { auditLogsArea } from './audit-logs/area.ts';
import type { Area } from './kernel/area.ts';
import { messagesArea } from './messages/area.ts';
import { organizationsArea } from './organizations/area.ts';

/** All areas of the service. */
export const areas: readonly Area[] = [auditLogsArea, messagesArea, organizationsArea];

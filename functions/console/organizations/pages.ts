import type { ConsolePage } from '../page/declare.ts';
import { auditExportPage, organizationAuditLogPage } from './audit-log.ts';
import { memberPages } from './members.ts';
import { organizationPage, organizationRecordsPage, organizationsPage } from './organizations.ts';

/** Organizations, and what an organization has. */
export const organizationPages: readonly ConsolePage[] = [
  organizationsPage,
  organizationPage,
  organizationRecordsPage,
  ...memberPages,
  organizationAuditLogPage,
  auditExportPage,
];

import type { ConsolePage } from '../page/declare.ts';
import { auditExportPage, organizationAuditLogPage } from './audit-log.ts';
import { memberPages } from './members.ts';
import { organizationProviderPages } from './providers.ts';
import { organizationRolePages } from './roles.ts';
import { organizationPage, organizationRecordsPage, organizationsPage } from './organizations.ts';

/** Organizations, and what an organization has. */
export const organizationPages: readonly ConsolePage[] = [
  organizationsPage,
  organizationPage,
  organizationRecordsPage,
  ...memberPages,
  ...organizationRolePages,
  ...organizationProviderPages,
  organizationAuditLogPage,
  auditExportPage,
];

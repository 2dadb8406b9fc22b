import { accessPages } from './access/pages.ts';
import { eventPage, eventsPage, tailPage } from './activity/events.ts';
import { activityPages } from './activity/more-pages.ts';
import { radarPages } from './activity/radar.ts';
import { deliveryBulkPages, deliveryPage, webhookPage, webhooksPage } from './activity/webhooks.ts';
import { agentPages } from './agents/pages.ts';
import { exportsPage } from './exports/pages.ts';
import { operatorPages } from './operators/pages.ts';
import { auditExportPage, organizationAuditLogPage } from './organizations/audit-log.ts';
import { organizationPage, organizationRecordsPage, organizationsPage } from './organizations/organizations.ts';
import { memberPages } from './organizations/members.ts';
import type { ConsolePage } from './page/declare.ts';
import { factorPage, passkeyPage } from './people/factor.ts';
import {
  invitationBulkPages,
  invitationsPage,
  waitlistBulkPages,
  waitlistPage,
  waitlistsPage,
} from './people/invitations.ts';
import { userAtPage } from './people/user-at.ts';
import { impersonatePage } from './people/impersonate.ts';
import { userPage } from './people/user.ts';
import { userAccessPage } from './people/user-access.ts';
import { userSignInPage } from './people/user-sign-in.ts';
import { userTimelinePage } from './people/user-timeline.ts';
import { userBulkPages, usersPage } from './people/users.ts';
import { secretPages } from './secrets/pages.ts';
import { settingsPages } from './settings/pages.ts';
import { signInPages } from './sign-in/pages.ts';
import { stagePages } from './stage/pages.ts';
import { proposalPages } from './stage/proposals.ts';
import { environmentsPage } from './start/environments.ts';
import { overviewPage } from './start/overview.ts';
import { searchDataPage, searchPage } from './start/search.ts';

/** All pages of the console, in the order of the menu. */
export const consolePages: readonly ConsolePage[] = [
  environmentsPage,
  overviewPage,
  searchPage,
  searchDataPage,
  usersPage,
  ...userBulkPages,
  userPage,
  userAccessPage,
  userTimelinePage,
  userAtPage,
  userSignInPage,
  impersonatePage,
  factorPage,
  passkeyPage,
  organizationsPage,
  organizationPage,
  organizationRecordsPage,
  ...memberPages,
  organizationAuditLogPage,
  auditExportPage,
  invitationsPage,
  ...invitationBulkPages,
  waitlistsPage,
  waitlistPage,
  ...waitlistBulkPages,
  ...signInPages,
  ...accessPages,
  eventsPage,
  tailPage,
  eventPage,
  webhooksPage,
  webhookPage,
  deliveryPage,
  ...deliveryBulkPages,
  ...activityPages,
  ...radarPages,
  exportsPage,
  ...secretPages,
  ...agentPages,
  ...settingsPages,
  ...operatorPages,
  ...stagePages,
  ...proposalPages,
];

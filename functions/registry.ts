import type { Area } from './kernel/area.ts';
import { accountArea } from './account/area.ts';
import { agentsArea } from './agents/area.ts';
import { apiKeysArea } from './api-keys/area.ts';
import { auditLogsArea } from './audit-logs/area.ts';
import { authenticationArea } from './authentication/area.ts';
import { authorizationArea } from './authorization/area.ts';
import { connectArea } from './connect/area.ts';
import { consoleArea } from './console/area.ts';
import { directorySyncArea } from './directory-sync/area.ts';
import { erasureArea } from './erasure/area.ts';
import { eventsArea } from './events/area.ts';
import { featureFlagsArea } from './feature-flags/area.ts';
import { groupsArea } from './groups/area.ts';
import { messagesArea } from './messages/area.ts';
import { mfaArea } from './mfa/area.ts';
import { organizationsArea } from './organizations/area.ts';
import { pagesArea } from './pages/area.ts';
import { passkeysArea } from './passkeys/area.ts';
import { pipesArea } from './pipes/area.ts';
import { platformArea } from './platform/area.ts';
import { portalArea } from './portal/area.ts';
import { radarArea } from './radar/area.ts';
import { referenceArea } from './reference/area.ts';
import { userManagementArea } from './user-management/area.ts';
import { rolesArea } from './roles/area.ts';
import { sessionsArea } from './sessions/area.ts';
import { socialArea } from './social/area.ts';
import { ssoArea } from './sso/area.ts';
import { vaultArea } from './vault/area.ts';
import { webhooksArea } from './webhooks/area.ts';
import { widgetsArea } from './widgets/area.ts';

/** All areas of the service. */
export const areas: readonly Area[] = [
  accountArea,
  agentsArea,
  apiKeysArea,
  auditLogsArea,
  authenticationArea,
  authorizationArea,
  connectArea,
  consoleArea,
  directorySyncArea,
  erasureArea,
  eventsArea,
  featureFlagsArea,
  groupsArea,
  messagesArea,
  mfaArea,
  organizationsArea,
  pagesArea,
  passkeysArea,
  pipesArea,
  platformArea,
  portalArea,
  radarArea,
  referenceArea,
  rolesArea,
  userManagementArea,
  sessionsArea,
  socialArea,
  ssoArea,
  vaultArea,
  webhooksArea,
  widgetsArea,
];

import type { Area } from './kernel/area.ts';
import { accountArea } from './faces/account/area.ts';
import { agentsArea } from './oauth/agents/area.ts';
import { apiKeysArea } from './access/api-keys/area.ts';
import { auditLogsArea } from './record/audit-logs/area.ts';
import { authenticationArea } from './sign-in/authentication/area.ts';
import { authorizationArea } from './access/authorization/area.ts';
import { connectArea } from './oauth/connect/area.ts';
import { consoleArea } from './faces/console/area.ts';
import { directorySyncArea } from './sign-in/directory-sync/area.ts';
import { erasureArea } from './stage/erasure/area.ts';
import { eventsArea } from './record/events/area.ts';
import { featureFlagsArea } from './access/feature-flags/area.ts';
import { groupsArea } from './tenancy/groups/area.ts';
import { messagesArea } from './outbound/messages/area.ts';
import { mfaArea } from './proofs/mfa/area.ts';
import { organizationsArea } from './tenancy/organizations/area.ts';
import { pagesArea } from './faces/pages/area.ts';
import { passkeysArea } from './proofs/passkeys/area.ts';
import { pipesArea } from './connections/pipes/area.ts';
import { platformArea } from './stage/platform/area.ts';
import { portalArea } from './faces/portal/area.ts';
import { radarArea } from './proofs/radar/area.ts';
import { referenceArea } from './faces/reference/area.ts';
import { userManagementArea } from './sign-in/user-management/area.ts';
import { rolesArea } from './tenancy/roles/area.ts';
import { sessionsArea } from './tenancy/sessions/area.ts';
import { socialArea } from './sign-in/social/area.ts';
import { ssoArea } from './sign-in/sso/area.ts';
import { vaultArea } from './connections/vault/area.ts';
import { webhooksArea } from './outbound/webhooks/area.ts';
import { widgetsArea } from './access/widgets/area.ts';

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

import { accountSamples } from './account.ts';
import { agentSamples } from './agents.ts';
import { apiKeySamples } from './api-keys.ts';
import { auditLogSamples } from './audit-logs.ts';
import { authenticationSamples } from './authentication.ts';
import { authorizationSamples } from './authorization.ts';
import { directorySyncSamples } from './directory-sync.ts';
import { eventSamples } from './events.ts';
import { featureFlagSamples } from './feature-flags.ts';
import { groupSamples } from './groups.ts';
import { messageSamples } from './messages.ts';
import { mfaSamples } from './mfa.ts';
import { organizationSamples } from './organizations.ts';
import { passkeySamples } from './passkeys.ts';
import { pageSamples } from './pages.ts';
import { platformSamples } from './platform.ts';
import { portalSamples } from './portal.ts';
import { pipesSamples } from './pipes.ts';
import { radarSamples } from './radar.ts';
import type { AreaSamples } from './sample.ts';
import { connectSamples } from './connect.ts';
import { userManagementSamples } from './user-management.ts';
import { rolesSamples } from './roles.ts';
import { sessionSamples } from './sessions.ts';
import { socialSamples } from './social.ts';
import { ssoSamples } from './sso.ts';
import { vaultSamples } from './vault.ts';
import { webhookSamples } from './webhooks.ts';
import { widgetSamples } from './widgets.ts';

/** The samples of areas by name; an area whose schemas' examples are sufficient needs none. */
export const samples: Readonly<Record<string, AreaSamples>> = {
  account: accountSamples,
  agents: agentSamples,
  'api-keys': apiKeySamples,
  'audit-logs': auditLogSamples,
  authentication: authenticationSamples,
  authorization: authorizationSamples,
  connect: connectSamples,
  'directory-sync': directorySyncSamples,
  events: eventSamples,
  'feature-flags': featureFlagSamples,
  groups: groupSamples,
  messages: messageSamples,
  mfa: mfaSamples,
  organizations: organizationSamples,
  pages: pageSamples,
  passkeys: passkeySamples,
  pipes: pipesSamples,
  platform: platformSamples,
  portal: portalSamples,
  roles: rolesSamples,
  'user-management': userManagementSamples,
  sessions: sessionSamples,
  radar: radarSamples,
  social: socialSamples,
  sso: ssoSamples,
  vault: vaultSamples,
  webhooks: webhookSamples,
  widgets: widgetSamples,
};

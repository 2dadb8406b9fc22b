import type { CaseFile } from '../case.ts';
import { accountCases } from './account.ts';
import { agentCases } from './agents.ts';
import { apiKeyCases } from './api-keys.ts';
import { auditLogCases } from './audit-logs.ts';
import { connectCases } from './connect.ts';
import { consoleCases } from './console.ts';
import { credentialCases } from './credentials.ts';
import { authenticationCases } from './authentication.ts';
import { authorizationCases } from './authorization.ts';
import { directorySyncCases } from './directory-sync.ts';
import { eventCases } from './events.ts';
import { featureFlagCases } from './feature-flags.ts';
import { itContactCases } from './it-contacts.ts';
import { messageCases } from './messages.ts';
import { mfaCases } from './mfa.ts';
import { organizationDomainCases } from './organization-domains.ts';
import { organizationCases } from './organizations.ts';
import { pagesCases } from './pages.ts';
import { passkeyCases } from './passkeys.ts';
import { pipesCases } from './pipes.ts';
import { platformCases } from './platform.ts';
import { portalCases } from './portal.ts';
import { radarCases } from './radar.ts';
import { rejectionCases } from './rejections.ts';
import { registrationCases } from './registrations.ts';
import { refreshCases, sessionCases } from './sessions.ts';
import { ssoCases } from './sso.ts';
import { userCases } from './users.ts';
import { vaultCases } from './vault.ts';
import { webhookCases } from './webhooks.ts';

/** All cases; a new area adds its file here. */
export const caseFiles: readonly CaseFile[] = [
  accountCases,
  organizationCases,
  organizationDomainCases,
  itContactCases,
  webhookCases,
  messageCases,
  mfaCases,
  credentialCases,
  authenticationCases,
  authorizationCases,
  directorySyncCases,
  eventCases,
  featureFlagCases,
  vaultCases,
  agentCases,
  connectCases,
  consoleCases,
  apiKeyCases,
  auditLogCases,
  pagesCases,
  passkeyCases,
  pipesCases,
  platformCases,
  portalCases,
  radarCases,
  registrationCases,
  sessionCases,
  refreshCases,
  ssoCases,
  userCases,
  rejectionCases,
];

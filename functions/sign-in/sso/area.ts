import { area } from '../../kernel/area.ts';
import { messages } from '../../kernel/http/error-response.ts';
import { WORK_TIMEOUT_SECONDS, workEvents } from '../../kernel/storage/work.ts';
import { ssoPolicyOperations } from '../../tenancy/modules/organization-sso/policy/operations.ts';
import { attemptOperations } from './attempt/operations.ts';
import { certificateOperations } from './certificate/operations.ts';
import { metadataOperations } from './connection/metadata-operations.ts';
import { connectionOperations } from './connection/operations.ts';
import { backChannelOperations } from './logout/back-channel-operations.ts';
import { logoutOperations } from './logout/operations.ts';
import { profileOperations } from './profile/operations.ts';
import { authorizeOperations } from './sign-in/authorize-operations.ts';
import { continueOperations } from './sign-in/continue-operations.ts';
import { socialProfileOperations } from './sign-in/social-operations.ts';
import { responseOperations } from './sign-in/response-operations.ts';
import { testSignInOperations } from './test-sign-in/operations.ts';
import { ssoSettings } from './settings.ts';
import { settingsOperations } from '../../kernel/environment-settings.ts';
import { connectionRemoval } from './connection/removal.ts';
import { xConnectionOperations } from './connection/x-operations.ts';

export const ssoArea = area({
  name: 'sso',
  group: 'sign-in',
  summary: 'Single sign-on through the identity providers of organizations',
  errorForm: messages,
  needs: ['table', 'keys', 'egress', 'base-url'],
  operations: [
    ...connectionOperations,
    ...certificateOperations,
    ...xConnectionOperations,
    ...metadataOperations,
    ...ssoPolicyOperations,
    ...settingsOperations(ssoSettings, {
      id: 'sso',
      path: '/x/sso/settings',
      subject: 'single sign-on',
    }),
    ...authorizeOperations,
    ...responseOperations,
    ...continueOperations,
    ...socialProfileOperations,
    ...profileOperations,
    ...logoutOperations,
    ...backChannelOperations,
    ...attemptOperations,
    ...testSignInOperations,
  ],
  workers: [
    {
      name: 'work',
      summary: 'Removes the rows of deleted connections, and the connections of deleted organizations',
      on: { kind: 'events', events: [...workEvents(connectionRemoval), 'organization.deleted'] },
      needs: ['table'],
      timeoutSeconds: WORK_TIMEOUT_SECONDS,
    },
    {
      name: 'checkConnections',
      summary: 'Reads the metadata of identity providers daily, and requests renewals of certificates',
      on: { kind: 'schedule', everyMinutes: 15 },
      needs: ['table', 'egress'],
      timeoutSeconds: 300,
    },
    {
      name: 'timeOutSignIns',
      summary: 'Reports sign-ins whose identity providers did not respond',
      on: { kind: 'schedule', everyMinutes: 5 },
      needs: ['table'],
    },
  ],
});

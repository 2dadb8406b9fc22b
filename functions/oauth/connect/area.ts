import { connectSettings } from '../../sign-in/modules/authorization-server/public.ts';
import { metadataOperations } from '../../sign-in/modules/authorization-server/metadata/operations.ts';
import { area } from '../../kernel/area.ts';
import { settingsOperations } from '../../kernel/environment-settings.ts';
import { messages } from '../../kernel/http/error-response.ts';
import { applicationOperations } from './application/operations.ts';
import { authorizedApplicationOperations } from './authorized-application/operations.ts';
import { authorizeOperations } from './authorize/operations.ts';
import { authorizeDevice } from './device-authorization/operations.ts';
import { endSession } from './end-session/operations.ts';
import { pushRequest } from './pushed-request/operations.ts';
import { clientKeyOperations } from './client-assertion/operations.ts';
import { clientSecretOperations } from './client-secret/operations.ts';
import { externalAuthOperations } from './external-auth/operations.ts';
import { introspectToken } from './introspection/operations.ts';
import { getServerKeys } from './key-set/operations.ts';
import { issueToken } from './token/operations.ts';
import { registrationOperations } from './registration/operations.ts';
import { revokeToken } from './revocation/operations.ts';
import { userinfoOperations } from './userinfo/operations.ts';

export const connectArea = area({
  name: 'connect',
  group: 'oauth',
  summary: 'Applications that sign users in or act for their organization, and what users authorized them to do',
  errorForm: messages,
  // The token endpoint issues the tokens of agents too, which the keys of sessions sign.
  needs: ['table', 'keys', 'signing-key', 'connect-signing-key', 'base-url', 'egress'],
  operations: [
    ...applicationOperations,
    ...clientSecretOperations,
    ...clientKeyOperations,
    ...authorizedApplicationOperations,
    ...authorizeOperations,
    pushRequest,
    authorizeDevice,
    endSession,
    ...externalAuthOperations,
    issueToken,
    ...userinfoOperations,
    introspectToken,
    revokeToken,
    ...registrationOperations,
    getServerKeys,
    ...metadataOperations,
    ...settingsOperations(connectSettings, {
      id: 'connect',
      path: '/x/connect/settings',
      subject: 'the OAuth server',
      description: 'A new lifetime applies to tokens that are issued from then on.',
    }),
  ],
  workers: [],
});

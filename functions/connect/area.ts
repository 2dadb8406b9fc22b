import { area } from '../kernel/area.ts';
import { settingsOperations } from '../kernel/environment-settings.ts';
import { messages } from '../kernel/http/error-response.ts';
import { applicationOperations } from './application/operations.ts';
import { authorizedApplicationOperations } from './authorized-application/operations.ts';
import { clientSecretOperations } from './client-secret/operations.ts';
import { introspectToken } from './introspection/operations.ts';
import { getServerKeys, getServerMetadata } from './metadata/operations.ts';
import { connectSettings } from './settings.ts';
import { issueToken } from './token/operations.ts';

export const connectArea = area({
  name: 'connect',
  summary: 'Applications that sign users in or act for their organization, and what users authorized them to do',
  errorForm: messages,
  needs: ['table', 'keys', 'connect-signing-key', 'base-url'],
  operations: [
    ...applicationOperations,
    ...clientSecretOperations,
    ...authorizedApplicationOperations,
    issueToken,
    introspectToken,
    getServerKeys,
    getServerMetadata,
    ...settingsOperations(connectSettings, {
      id: 'connect',
      path: '/x/connect/settings',
      subject: 'the OAuth server',
      description: 'A new lifetime applies to tokens that are issued from then on.',
    }),
  ],
  workers: [],
});

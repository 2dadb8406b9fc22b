import { area } from '../kernel/area.ts';
import { settingsOperations } from '../kernel/environment-settings.ts';
import { messages } from '../kernel/http/error-response.ts';
import { receiveCallback } from './authorization/callback-operations.ts';
import { finishConnection } from './authorization/finish-operations.ts';
import { authorizeAccount } from './authorization/operations.ts';
import { confirmStart, showStart } from './authorization/start-operations.ts';
import { configureIntegration, listConfigurations } from './configuration/operations.ts';
import {
  deleteOrganizationAccount,
  deleteUserAccount,
  getOrganizationAccount,
  getUserAccount,
  importOrganizationAccount,
  importUserAccount,
  updateOrganizationAccount,
  updateUserAccount,
} from './connected-account/operations.ts';
import { getAccessToken, vendCredentials } from './credentials/operations.ts';
import { listOrganizationProviders, listUserProviders } from './data-provider/operations.ts';
import {
  addApiKey,
  addClientCredentials,
  upsertApiKey,
  upsertClientCredentials,
} from './connected-account/credential-operations.ts';
import { createIntegration, listIntegrations, organizationRoot, userRoot } from './integration/operations.ts';
import { pipesSettings } from './settings.ts';

export const pipesArea = area({
  name: 'pipes',
  summary: 'Connected accounts at third-party providers: integrations, authorization, credentials',
  errorForm: messages,
  needs: ['table', 'keys', 'egress', 'dns', 'base-url'],
  operations: [
    listIntegrations,
    createIntegration,
    userRoot.get,
    userRoot.update,
    userRoot.remove,
    organizationRoot.get,
    organizationRoot.update,
    organizationRoot.remove,
    upsertApiKey,
    addApiKey,
    upsertClientCredentials,
    addClientCredentials,
    authorizeAccount,
    finishConnection,
    vendCredentials,
    getAccessToken,
    listConfigurations,
    configureIntegration,
    getUserAccount,
    importUserAccount,
    updateUserAccount,
    deleteUserAccount,
    getOrganizationAccount,
    importOrganizationAccount,
    updateOrganizationAccount,
    deleteOrganizationAccount,
    listUserProviders,
    listOrganizationProviders,
    showStart,
    confirmStart,
    receiveCallback,
    ...settingsOperations(pipesSettings, {
      id: 'pipes',
      path: '/x/pipes/settings',
      subject: 'connected accounts',
      description:
        'With `authorization_start: confirm` (the default) an authorization URL opens a page of the service that ' +
        'asks for confirmation. Choose `redirect` only if your own page asks the same person in the same browser ' +
        'before.',
    }),
  ],
  workers: [
    {
      name: 'eraseIntegrations',
      summary: 'Removes the connected accounts of deleted integrations',
      on: { kind: 'schedule', everyMinutes: 1 },
      needs: ['table'],
      timeoutSeconds: 300,
      concurrency: 1,
    },
  ],
});

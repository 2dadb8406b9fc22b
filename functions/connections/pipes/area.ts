import { area } from '../../kernel/area.ts';
import { settingsOperations } from '../../kernel/environment-settings.ts';
import { messages } from '../../kernel/http/error-response.ts';
import { onWork, WORK_TIMEOUT_SECONDS } from '../../kernel/storage/work.ts';
import { authorizationCallbackOperations } from './authorization/callback-operations.ts';
import { authorizationFinishOperations } from './authorization/finish-operations.ts';
import { authorizationOperations } from './authorization/operations.ts';
import { authorizationStartOperations } from './authorization/start-operations.ts';
import { configurationOperations } from './configuration/operations.ts';
import { connectedAccountOperations } from './connected-account/operations.ts';
import { credentialsOperations } from './credentials/operations.ts';
import { dataProviderOperations } from './data-provider/operations.ts';
import { connectedAccountCredentialOperations } from './connected-account/credential-operations.ts';
import { integrationRemoval } from './erasure/work.ts';
import { integrationOperations, organizationRoot, userRoot } from './integration/operations.ts';
import { pipesSettings } from './settings.ts';

export const pipesArea = area({
  name: 'pipes',
  group: 'connections',
  summary: 'Connected accounts at third-party providers: integrations, authorization, credentials',
  errorForm: messages,
  needs: ['table', 'keys', 'egress', 'dns', 'base-url'],
  operations: [
    ...integrationOperations,
    userRoot.get,
    userRoot.update,
    userRoot.remove,
    organizationRoot.get,
    organizationRoot.update,
    organizationRoot.remove,
    ...connectedAccountCredentialOperations,
    ...authorizationOperations,
    ...authorizationFinishOperations,
    ...credentialsOperations,
    ...configurationOperations,
    ...connectedAccountOperations,
    ...dataProviderOperations,
    ...authorizationStartOperations,
    ...authorizationCallbackOperations,
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
      on: onWork(integrationRemoval),
      needs: ['table'],
      timeoutSeconds: WORK_TIMEOUT_SECONDS,
    },
  ],
});

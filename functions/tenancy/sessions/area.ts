import { area } from '../../kernel/area.ts';
import { settingsOperations } from '../../kernel/environment-settings.ts';
import { messages } from '../../kernel/http/error-response.ts';
import { jwtTemplateOperations } from './jwt-template/operations.ts';
import { sessionLogoutOperations } from './session/logout-operations.ts';
import { sessionOperations } from './session/operations.ts';
import { signingKeyOperations } from './signing-key/operations.ts';
import { sessionSettings } from './settings.ts';

export const sessionsArea = area({
  name: 'sessions',
  group: 'tenancy',
  summary: 'Sessions, their tokens and the keys that sign them',
  errorForm: messages,
  needs: ['table', 'signing-key', 'base-url'],
  operations: [
    ...signingKeyOperations,
    ...sessionOperations,
    ...sessionLogoutOperations,
    ...jwtTemplateOperations,
    ...settingsOperations(sessionSettings, {
      id: 'sessions',
      path: '/x/sessions/settings',
      subject: 'sessions',
      description:
        'Lifetimes are in seconds. Shorter ones also apply to active sessions, from their next refresh. `logout_uri` ' +
        'is the target of a logout without `return_to`.',
    }),
  ],
  workers: [],
});

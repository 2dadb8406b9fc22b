import { area } from '../../kernel/area.ts';
import { settingsOperations } from '../../kernel/environment-settings.ts';
import { messages } from '../../kernel/http/error-response.ts';
import { confirmOperations } from './confirm/operations.ts';
import { factorResetSettings } from '../../proofs/modules/factor-resets/public.ts';
import { factorResetOperations } from '../../proofs/modules/factor-resets/reset/operations.ts';
import { stopOperations } from './factor-reset/page-operations.ts';
import { linkOperations } from './link/operations.ts';
import { startOperations } from './link/start-operations.ts';
import { overviewOperations } from './overview/operations.ts';
import { previewOperations } from './preview/operations.ts';
import { authenticatorOperations } from './sections/authenticator.ts';
import { connectedAccountsOperations } from './sections/connected-accounts.ts';
import { dataOperations } from './sections/data.ts';
import { deletionOperations } from './sections/deletion.ts';
import { emailOperations } from './sections/email.ts';
import { nameOperations } from './sections/name.ts';
import { organizationsOperations } from './sections/organizations.ts';
import { passkeysOperations } from './sections/passkeys.ts';
import { passwordOperations } from './sections/password.ts';
import { recoveryCodesOperations } from './sections/recovery-codes.ts';
import { sessionsOperations } from './sections/sessions.ts';
import { accountSettings } from './settings.ts';

export const accountArea = area({
  name: 'account',
  group: 'faces',
  summary: 'The account page, on which users change their own account',
  errorForm: messages,
  needs: ['table', 'keys', 'base-url'],
  operations: [
    ...linkOperations,
    ...settingsOperations(accountSettings, {
      id: 'account',
      path: '/x/account/settings',
      subject: 'the account page',
    }),
    ...startOperations,
    ...factorResetOperations,
    ...settingsOperations(factorResetSettings, {
      id: 'factor_resets',
      path: '/x/account/factor_resets/settings',
      subject: 'resets of factors by operators',
      description: 'A change applies to later resets.',
    }),
    ...previewOperations,
    ...overviewOperations,
    ...confirmOperations,
    ...nameOperations,
    ...emailOperations,
    ...passwordOperations,
    ...passkeysOperations,
    ...authenticatorOperations,
    ...recoveryCodesOperations,
    ...sessionsOperations,
    ...connectedAccountsOperations,
    ...organizationsOperations,
    ...dataOperations,
    ...deletionOperations,
    ...stopOperations,
  ],
  workers: [
    {
      name: 'resetFactors',
      summary: 'Removes the factors whose delayed reset by an operator is due',
      on: { kind: 'schedule', everyMinutes: 5 },
      needs: ['table', 'keys'],
      timeoutSeconds: 120,
    },
  ],
});

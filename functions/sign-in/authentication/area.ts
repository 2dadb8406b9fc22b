import { area } from '../../kernel/area.ts';
import { settingsOperations } from '../../kernel/environment-settings.ts';
import { messages } from '../../kernel/http/error-response.ts';
import { authorizeOperations } from './authorize/operations.ts';
import { grantOperations } from './grant/operations.ts';
import { deviceOperations } from './device/operations.ts';
import { signInSettings } from '../../proofs/modules/email-proofs/public.ts';
import { impersonationOperations } from '../modules/impersonations/impersonation/operations.ts';
import { impersonationSettings } from '../modules/impersonations/public.ts';
import { tokenPreviewOperations } from './token-preview/operations.ts';
import { explanationOperations } from '../modules/sign-in-support/explanation/operations.ts';
import { userLimitOperations } from '../modules/sign-in-support/limit/operations.ts';

export const authenticationArea = area({
  name: 'authentication',
  group: 'sign-in',
  summary: 'Sign-in: grants, authorization in the browser, device authorization',
  errorForm: messages,
  needs: ['table', 'keys', 'egress', 'signing-key', 'base-url'],
  operations: [
    ...grantOperations,
    ...authorizeOperations,
    ...deviceOperations,
    ...explanationOperations,
    ...userLimitOperations,
    ...impersonationOperations,
    ...tokenPreviewOperations,
    ...settingsOperations(impersonationSettings, {
      id: 'impersonations',
      path: '/x/user-management/impersonations/settings',
      subject: 'sessions that operators open as users',
      description:
        'If `enabled` becomes false, no further session begins. Open ones are revoked when they are refreshed next, or when they load a page of the account.',
    }),
    ...settingsOperations(signInSettings, {
      id: 'authentication',
      path: '/x/authentication/settings',
      subject: 'signing in',
      description:
        'The settings are the enabled sign-in methods, who may sign up, and what is required in addition to the first factor. Active sessions ' +
        'stay active; a change of `mfa` applies at their next refresh.',
    }),
  ],
  workers: [],
});

import { area } from '../kernel/area.ts';
import { settingsOperations } from '../kernel/environment-settings.ts';
import { messages } from '../kernel/http/error-response.ts';
import { factorResetSettings } from '../factor-resets/public.ts';
import { factorResetOperations } from '../factor-resets/reset/operations.ts';
import { challengeOperations } from './challenge/operations.ts';
import { factorOperations } from './factor/operations.ts';
import { factorUserOperations } from './factor/user-operations.ts';

export const mfaArea = area({
  name: 'mfa',
  summary: 'Authentication factors and challenges: authenticator apps, SMS codes, and codes that you deliver yourself',
  errorForm: messages,
  needs: ['table', 'keys', 'base-url'],
  operations: [
    ...factorOperations,
    ...challengeOperations,
    ...factorUserOperations,
    ...factorResetOperations,
    ...settingsOperations(factorResetSettings, {
      id: 'factor_resets',
      path: '/x/user-management/factor_resets/settings',
      subject: 'resets of factors by operators',
      description: 'A change applies to later resets.',
    }),
  ],
  workers: [],
});

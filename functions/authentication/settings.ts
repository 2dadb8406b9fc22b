import { settingsOperations } from '../kernel/environment-settings.ts';
import { signInSettings } from '../email-proofs/public.ts';

export const authenticationSettingsOperations = settingsOperations(signInSettings, {
  id: 'authentication',
  path: '/x/authentication/settings',
  subject: 'signing in',
  description:
    'Enabled sign-in methods, who may sign up, and what is required beyond the first factor. Open sessions ' +
    'stay open; a rule of `mfa` applies at their next refresh.',
});

import { settingsOperations } from '../kernel/environment-settings.ts';
import { signInSettings } from '../user-management/public.ts';

export const authenticationSettingsOperations = settingsOperations(signInSettings, {
  id: 'authentication',
  path: '/x/authentication/settings',
  subject: 'signing in',
  description:
    'Which ways to sign in are open, who may sign up, and what is asked beyond the first proof. Sessions that are open ' +
    'stay open; a rule of `mfa` is asked for at their next refresh.',
});

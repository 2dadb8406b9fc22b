import { settingsOperations } from '../../kernel/environment-settings.ts';
import { sessionSettings } from '../settings.ts';

export const sessionSettingsOperations = settingsOperations(sessionSettings, {
  id: 'sessions',
  path: '/x/sessions/settings',
  subject: 'sessions',
  description:
    'Lifetimes are in seconds. Shorter ones hold for sessions that are open already, from their next refresh. ' +
    '`logout_uri` is where a logout leads that names no `return_to`.',
});

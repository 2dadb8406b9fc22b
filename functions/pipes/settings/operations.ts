import { settingsOperations } from '../../kernel/environment-settings.ts';
import { pipesSettings } from '../settings.ts';

export const pipesSettingsOperations = settingsOperations(pipesSettings, {
  id: 'pipes',
  path: '/x/pipes/settings',
  subject: 'connected accounts',
  description:
    '`authorization_start: confirm` (the default) asks the person who opens an authorization URL to confirm on a page of the ' +
    'service; choose `redirect` only where your own page asks the same person in the same browser first.',
});

import { settingsOperations } from '../../kernel/environment-settings.ts';
import { pipesSettings } from './schema.ts';

export const pipesSettingsOperations = settingsOperations(pipesSettings, {
  id: 'pipes',
  path: '/x/pipes/settings',
  subject: 'connected accounts',
  description:
    '`authorization_start: confirm` (the default) has whoever opens an authorization URL confirm on a page of the ' +
    'service; choose `redirect` only where your own page asks the same person in the same browser first.',
});

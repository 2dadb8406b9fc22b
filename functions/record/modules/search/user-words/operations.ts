import { apiKey } from '../../../../kernel/authentication/api-key.ts';
import { REPLACES_SETTINGS, stageSettings, settingsOperations } from '../../../../kernel/environment-settings.ts';
import { operation } from '../../../../kernel/operation.ts';
import { searchSettings } from './settings.ts';
import { userIndexing } from './work.ts';

const DESCRIPTION =
  'With `users`, `GET /x/search` finds users by the beginnings of their names and addresses, and by the domain of the address. Existing ' +
  'users are indexed in the background, and new ones within moments. With `users: false`, users are not found by words, and what was indexed is removed.';

const [getSettings, putSettings] = settingsOperations(searchSettings, {
  id: 'search',
  path: '/x/search/settings',
  subject: 'the search',
  description: DESCRIPTION,
});

const updateSettings = operation({
  id: putSettings.id,
  method: 'PUT',
  path: '/x/search/settings',
  summary: putSettings.summary,
  description: `${DESCRIPTION} ${REPLACES_SETTINGS}`,
  operator: 'config.change',
  ifMatch: getSettings,
  auth: apiKey,
  body: searchSettings.schema,
  responses: { 200: searchSettings.schema },
  errors: [],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, body, unit }) {
    await stageSettings(unit, environmentId, searchSettings, () => body);
    userIndexing.stage(unit, environmentId, {});
    return { status: 200, body };
  },
});

export const searchSettingsOperations = [getSettings, updateSettings] as const;

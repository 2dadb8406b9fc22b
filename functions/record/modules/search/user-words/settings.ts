import * as z from 'zod';

import type { SettingsSection } from '../../../../kernel/environment-settings.ts';

const SearchSettings = z
  .object({
    users: z
      .boolean()
      .default(false)
      .describe(
        'Whether users are found by the beginnings of their names and addresses, and by the domain of the address.',
      ),
  })
  .meta({ id: 'SearchSettings' });

/** The settings of the search. */
export const searchSettings: SettingsSection<typeof SearchSettings> = { name: 'search', schema: SearchSettings };

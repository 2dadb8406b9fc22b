import { area } from '../../kernel/area.ts';
import { messages } from '../../kernel/http/error-response.ts';

/** The area that erases the data of deleted users and organizations for all areas. It has no operations. */
export const erasureArea = area({
  name: 'erasure',
  group: 'stage',
  summary: 'Removes the data of deleted users and organizations',
  operations: [],
  workers: [
    {
      name: 'erase',
      summary:
        'Removes what belonged to a deleted user or organization, or to an account from before the first proof of its address',
      on: { kind: 'events', events: ['user.deleted', 'user.updated', 'organization.deleted'] },
      needs: ['table'],
      timeoutSeconds: 900,
    },
    {
      name: 'sweep',
      summary:
        'Removes what was still written for a deleted user or organization after its rows were removed, and starts the second runs of work',
      on: { kind: 'schedule', everyMinutes: 5 },
      needs: ['table'],
      timeoutSeconds: 120,
    },
  ],
  needs: [],
  errorForm: messages,
});

import { area } from '../../kernel/area.ts';
import { messages } from '../../kernel/http/error-response.ts';
import { ownEnvironmentOperations } from '../../tenancy/modules/environments/environment/operations.ts';
import { keyOperations } from '../../tenancy/modules/environments/key/operations.ts';
import { attentionOperations } from '../modules/environment-attention/attention/operations.ts';
import { pastStateOperations } from '../modules/past-states/past-state/operations.ts';
import { searchOperations } from '../modules/search/hit/operations.ts';
import { searchSettingsOperations } from '../modules/search/user-words/operations.ts';
import { INDEXED_EVENTS, userIndexing } from '../modules/search/public.ts';
import { workEvents, WORK_TIMEOUT_SECONDS } from '../../kernel/storage/work.ts';
import { eventOperations } from './event/operations.ts';

export const eventsArea = area({
  name: 'events',
  group: 'record',
  summary: 'The list of events, the search for records, and the relay of events to the event bus',
  operations: [
    ...eventOperations,
    ...searchOperations,
    ...searchSettingsOperations,
    ...attentionOperations,
    ...pastStateOperations,
    ...ownEnvironmentOperations,
    ...keyOperations,
  ],
  workers: [
    {
      name: 'relay',
      summary: 'Passes events from the table’s stream to the bus, and messages to their queues',
      on: { kind: 'stream' },
      needs: ['stream', 'bus', 'queue:messages', 'queue:deliveries', 'queue:audit-logs'],
      timeoutSeconds: 60,
      // Lambda would keep the order of a partition of the table only, and the events of a subject are in several.
      concurrency: 1,
    },
    {
      name: 'indexWords',
      summary: 'Keeps the words by which the search finds users',
      on: { kind: 'events', events: [...INDEXED_EVENTS, ...workEvents(userIndexing)] },
      needs: ['table'],
      timeoutSeconds: WORK_TIMEOUT_SECONDS,
    },
    {
      name: 'examineStage',
      summary: 'Examines the stage from within once a day: its address, its certificate and its mail',
      on: { kind: 'schedule', everyMinutes: 1_440 },
      needs: ['table', 'base-url', 'mail-state'],
      timeoutSeconds: 120,
    },
  ],
  needs: ['table'],
  errorForm: messages,
});

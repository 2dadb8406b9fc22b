import type { Area } from './kernel/area.ts';
import { eventsArea } from './events/area.ts';
import { messagesArea } from './messages/area.ts';
import { organizationsArea } from './organizations/area.ts';
import { pipesArea } from './pipes/area.ts';
import { referenceArea } from './reference/area.ts';
import { webhooksArea } from './webhooks/area.ts';

/** All areas of the service. */
export const areas: readonly Area[] = [
  eventsArea,
  messagesArea,
  organizationsArea,
  pipesArea,
  referenceArea,
  webhooksArea,
];

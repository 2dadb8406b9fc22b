import { exportsPage } from '../exports/pages.ts';
import type { ConsolePage } from '../page/declare.ts';
import { eventPage, eventsPage, tailPage } from './events.ts';
import { morePages } from './more-pages.ts';
import { radarPages } from './radar.ts';
import { deliveryBulkPages, deliveryPage, webhookPage, webhooksPage } from './webhooks.ts';

/** Events, webhooks, audit logs, actions, Radar and exports. */
export const activityPages: readonly ConsolePage[] = [
  eventsPage,
  tailPage,
  eventPage,
  webhooksPage,
  webhookPage,
  deliveryPage,
  ...deliveryBulkPages,
  ...morePages,
  ...radarPages,
  exportsPage,
];

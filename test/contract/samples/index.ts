import { eventSamples } from './events.ts';
import { organizationSamples } from './organizations.ts';
import { pipesSamples } from './pipes.ts';
import type { AreaSamples } from './sample.ts';
import { webhookSamples } from './webhooks.ts';

/** The samples of areas by their names; an area whose schemas say enough needs none. */
export const samples: Readonly<Record<string, AreaSamples>> = {
  events: eventSamples,
  organizations: organizationSamples,
  pipes: pipesSamples,
  webhooks: webhookSamples,
};

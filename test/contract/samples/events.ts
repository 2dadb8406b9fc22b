import type { AreaSamples } from './sample.ts';

export const eventSamples: AreaSamples = {
  queries: { 'events.list': { events: 'organization.created' } },
};

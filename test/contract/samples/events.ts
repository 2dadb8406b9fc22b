import type { AreaSamples } from './sample.ts';

export const eventSamples: AreaSamples = {
  queries: {
    'events.list': { events: 'organization.created' },
    'events.list_by_subject': { subject: 'ada@acme.example' },
    'search.query': { q: 'acme' },
  },
};

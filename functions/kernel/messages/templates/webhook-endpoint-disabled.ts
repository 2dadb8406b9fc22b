import * as z from 'zod';

import { template } from '../template.ts';

const REASONS = {
  gone: 'It responded with 410 Gone, which means that it wants no further events.',
  failing: 'Every delivery to it has failed for five days.',
} as const;

/** Notifies the contact of an environment that events no longer reach one of its webhook endpoints. */
export const webhookEndpointDisabled = template({
  name: 'webhook-endpoint-disabled',
  values: z.object({
    environmentName: z.string().min(1),
    endpointId: z.string(),
    endpointUrl: z.string(),
    reason: z.enum(['gone', 'failing']),
  }),
  email: {
    en: ({ environmentName, endpointId, endpointUrl, reason }) => ({
      subject: `A webhook endpoint of ${environmentName} was disabled`,
      preheader: `Events no longer reach ${endpointUrl}.`,
      heading: 'A webhook endpoint was disabled',
      blocks: [
        { kind: 'paragraph', text: `Events of ${environmentName} no longer reach ${endpointUrl} (${endpointId}).` },
        { kind: 'paragraph', text: REASONS[reason] },
        {
          kind: 'paragraph',
          text:
            'Fix the receiver, then enable the endpoint again with PATCH /webhook_endpoints/{id}. Read the events ' +
            'since then from GET /events; failed deliveries can be resent.',
        },
      ],
    }),
  },
});

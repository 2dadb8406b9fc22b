import * as z from 'zod';

import { Identifier, Name } from '../name.ts';
import { template } from '../template.ts';

/** Notifies the contact of an environment that events no longer reach one of its webhook endpoints. */
export const webhookEndpointDisabled = template({
  name: 'webhook-endpoint-disabled',
  cause: 'administration',
  values: z.object({
    environmentName: Name,
    endpointId: Identifier,
    endpointUrl: z.url(),
    reason: z.enum(['gone', 'failing']),
  }),
  email: ({ environmentName: environment, endpointId: id, endpointUrl: url, reason }, { translate }) => ({
    subject: translate('webhook_disabled.subject', { environment }),
    preheader: translate('webhook_disabled.preheader', { url }),
    heading: translate('webhook_disabled.heading'),
    blocks: [
      { kind: 'paragraph', text: translate('webhook_disabled.lead', { environment, url, id }) },
      { kind: 'paragraph', text: translate(`webhook_disabled.${reason}`) },
      { kind: 'paragraph', text: translate('webhook_disabled.next', { call: `PATCH /webhook_endpoints/${id}` }) },
    ],
  }),
});

import { actionEndpointOperations } from '../modules/actions/endpoint/operations.ts';
import { actionExecutionOperations } from '../modules/actions/execution/operations.ts';
import { area } from '../../kernel/area.ts';
import { messages } from '../../kernel/http/error-response.ts';
import { eventDeliveryOperations } from './delivery/event-operations.ts';
import { deliveryOperations } from './delivery/operations.ts';
import { endpointExtensionOperations } from './endpoint/extension-operations.ts';
import { endpointOperations } from './endpoint/operations.ts';

export const webhooksArea = area({
  name: 'webhooks',
  group: 'outbound',
  summary: 'Webhook endpoints: events are posted to them, signed, with retries',
  operations: [
    ...endpointOperations,
    ...endpointExtensionOperations,
    ...deliveryOperations,
    ...eventDeliveryOperations,
    ...actionEndpointOperations,
    ...actionExecutionOperations,
  ],
  workers: [
    {
      name: 'dispatch',
      summary: 'Enqueues the delivery of an event to each endpoint that subscribes to it',
      on: { kind: 'events' },
      needs: ['table:read', 'queue:deliveries'],
    },
    {
      name: 'deliver',
      summary: 'Posts an event to an endpoint and records the attempt',
      on: { kind: 'queue', queue: 'deliveries' },
      needs: ['table', 'keys', 'egress', 'queue:deliveries'],
      concurrency: 100,
    },
    {
      name: 'retry',
      summary: 'Enqueues retries that are due',
      on: { kind: 'schedule', everyMinutes: 1 },
      needs: ['table', 'queue:deliveries'],
      timeoutSeconds: 60,
    },
  ],
  needs: ['table', 'keys', 'egress'],
  errorForm: messages,
});

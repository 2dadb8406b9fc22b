import { Webhook } from 'standardwebhooks';

import { until } from '../soak/scenario.ts';
import type { Arrival } from '../support/webhook-consumer.ts';
import type { DeployedStage } from './stage.ts';
import { must, type Steps } from './steps.ts';

/**
 * Time limit in ms for an event to get from the stream through relay, bus, dispatch and queue to the receiver, on a loaded
 * machine.
 */
const ARRIVAL_LIMIT_MS = 90_000;

/** Webhooks from the commit to the receiver, signed, and verified by the SDK and by a Standard Webhooks library. */
export const webhooks = (steps: Steps, { sdk, consumer }: DeployedStage) =>
  steps.flow('webhooks', async (step) => {
    const names = ['organization.created', 'organization.updated', 'organization.deleted'] as const;
    const endpoint = await step('an endpoint on loopback, which the stage allows by -c egressAllow', () =>
      sdk.webhooks.createWebhookEndpoint({ endpointUrl: consumer.url('/hooks'), events: [...names] }),
    );
    const { id } = await step('something happens', () => sdk.organizations.createOrganization({ name: 'Rocket 🚀' }));
    await step('and changes', () => sdk.organizations.updateOrganization({ organization: id, name: 'Rocket 2' }));
    await step('and ends', () => sdk.organizations.deleteOrganization(id));
    const about = (): Arrival[] => consumer.received.filter(({ text }) => text.includes(id));
    const eventNames = (): string[] => about().map(({ text }) => (JSON.parse(text) as { event: string }).event);
    await step('all three arrive', () =>
      until('webhooks', ARRIVAL_LIMIT_MS, eventNames, (seen) => names.every((name) => seen.includes(name))),
    );
    const { secret } = endpoint;
    await step('verified by the SDK', async () => {
      for (const { text: payload, headers } of about()) {
        const sigHeader = String(headers['gatehouse-signature']);
        const event = await sdk.webhooks.constructEvent({ payload, sigHeader, secret });
        must((event.data as { id: string }).id === id, event);
      }
    });
    await step('verified by Standard Webhooks', () => {
      for (const { text, headers } of about()) new Webhook(secret).verify(text, headers as Record<string, string>);
    });
    await step('a changed body is rejected', async () => {
      const [{ text = '', headers = {} } = {}] = about();
      const sigHeader = String(headers['gatehouse-signature']);
      const verified = sdk.webhooks.constructEvent({ payload: `${text} `, sigHeader, secret });
      must((await verified.catch(() => undefined)) === undefined, 'verified');
    });
    await step('delete the endpoint', () => sdk.webhooks.deleteWebhookEndpoint({ id: endpoint.id }));
  });

/** An export that a worker makes which a queue starts, with its files in a bucket. */
export const auditLogs = (steps: Steps, { sdk }: DeployedStage) =>
  steps.flow('audit logs', async (step) => {
    const api = sdk.auditLogs;
    const { id } = await step('an organization', () => sdk.organizations.createOrganization({ name: 'Audited' }));
    const action = 'document.read';
    await step('a schema', () => api.createSchema({ action, targets: [{ type: 'document' }] }));
    await step('an event', () =>
      api.createEvent(id, {
        action,
        occurredAt: new Date(),
        actor: { id: 'user_1', type: 'user' },
        targets: [{ id: 'document_1', type: 'document' }],
        context: { location: '192.0.2.1' },
      }),
    );
    const made = await step('an export', () =>
      api.createExport({
        organizationId: id,
        rangeStart: new Date(Date.now() - 86_400_000),
        rangeEnd: new Date(Date.now() + 60_000),
      }),
    );
    const ready = await step('becomes ready', () =>
      until(
        'the export',
        ARRIVAL_LIMIT_MS,
        () => api.getExport(made.id),
        ({ state }) => state !== 'pending',
      ),
    );
    await step('holds the event', async () => {
      const text = await (await fetch(ready.url ?? '')).text();
      must(text.includes(action), [ready.state, text]);
    });
  });

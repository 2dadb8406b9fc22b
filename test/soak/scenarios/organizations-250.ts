import { WorkOS } from '@workos-inc/node';
import { Webhook } from 'standardwebhooks';

import type { Arrival } from '../../support/webhook-consumer.ts';
import { startConsumer } from '../../support/webhook-consumer.ts';
import { startLocalProcess } from '../local-process.ts';
import { must, sideBySide, print, until } from '../scenario.ts';

const COUNT = 250;

/** The official SDK, unmodified, with the URL of the service, as a new user would use it. */
export const organizations = {
  name: 'organizations-250',
  run: async () => {
    const service = await startLocalProcess();
    const consumer = await startConsumer();
    try {
      const { hostname, port } = new URL(service.connection.url);
      const sdk = new WorkOS(service.connection.apiKey, { apiHostname: hostname, port: Number(port), https: false });
      const endpoint = await sdk.webhooks.createWebhookEndpoint({
        endpointUrl: consumer.url('/hooks'),
        events: ['organization.created', 'organization.updated', 'organization.deleted'],
      });
      const ids = await createAll(sdk);
      await listAll(sdk, ids);
      const first = ids[0] ?? '';
      const updated = await sdk.organizations.updateOrganization({ organization: first, name: 'Renamed' });
      must(updated.name === 'Renamed', 'An update responds with the changed organization');
      must((await sdk.organizations.getOrganization(first)).name === 'Renamed', 'A read sees the update at once');
      await sdk.organizations.deleteOrganization(first);
      const rejection = await sdk.organizations.getOrganization(first).catch((error: unknown) => error);
      must((rejection as { status?: number }).status === 404, 'A deleted organization responds 404 at once');
      await checkWebhooks(sdk, consumer.received, endpoint.secret);
    } finally {
      await Promise.all([service.stop(), consumer.close()]);
    }
  },
};

async function createAll(sdk: WorkOS): Promise<string[]> {
  const ids: string[] = [];
  await sideBySide([...Array(COUNT).keys()], 8, async (at) => {
    const { id } = await sdk.organizations.createOrganization({ name: `Organization ${at}`, externalId: `own-${at}` });
    ids.push(id);
  });
  must(new Set(ids).size === COUNT, 'Each organization has an id of its own');
  print(`${COUNT} organizations created with the SDK`);
  return ids.sort();
}

async function listAll(sdk: WorkOS, ids: readonly string[]): Promise<void> {
  for (const order of ['asc', 'desc'] as const) {
    const wanted = order === 'asc' ? [...ids] : [...ids].reverse();
    const page = await sdk.organizations.listOrganizations({ order });
    const listed = (await page.autoPagination()).map(({ id }) => id);
    const wrong = listed.findIndex((id, at) => id !== wanted[at]);
    must(
      listed.length === COUNT && wrong === -1,
      `All ${COUNT} are listed once each, order ${order}: ${listed.length}, the first in a wrong place at ${wrong}`,
    );
    print(`listed all ${listed.length}, order ${order}`);
  }
}

async function checkWebhooks(sdk: WorkOS, received: readonly Arrival[], secret: string): Promise<void> {
  const wanted = COUNT + 2;
  await until(
    'every event arrives',
    30_000,
    () => received.length,
    (count) => count >= wanted,
  );
  const standard = new Webhook(secret);
  const ids = new Set<string>();
  for (const { text, headers } of received) {
    const sigHeader = String(headers['gatehouse-signature']);
    const event = await sdk.webhooks.constructEvent({ payload: text, sigHeader, secret });
    standard.verify(text, headers as Record<string, string>);
    ids.add(event.id);
  }
  must(ids.size === wanted, `${ids.size} of ${wanted} events arrived`);
  must(received.length === wanted, `Each event arrives once: ${received.length} requests for ${wanted} events`);
  print(`${wanted} webhooks, one for each event, verified by the SDK and by standardwebhooks`);
}

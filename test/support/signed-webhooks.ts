import { receiver } from './receiver.ts';
import { call, idle, sdk } from './service.ts';

/** A webhook that was delivered, and whose signature the official SDK has verified. */
export interface Delivered {
  event: string;
  data: Record<string, unknown>;
}

/** A receiver that subscribes to events. */
export interface WebhookConsumer {
  /**
   * Waits until each of the events was delivered at least once.
   * @returns all deliveries
   * @throws Error that names the missing events, or for a signature that is not valid
   */
  untilAll: () => Promise<Delivered[]>;
}

/** Subscribes a new receiver to events. */
export async function newWebhookConsumer(events: readonly string[]): Promise<WebhookConsumer> {
  const hooks = await receiver();
  const { status, body } = await call<{ secret: string }>('POST', '/webhook_endpoints', {
    endpoint_url: hooks.url,
    events,
  });
  if (status !== 201) throw new Error(`The endpoint got ${status}: ${JSON.stringify(body)}`);
  return {
    async untilAll() {
      await idle();
      const delivered: Delivered[] = [];
      for (const { body: text, headers } of hooks.requests) {
        const payload = JSON.parse(text) as Record<string, unknown> & Delivered;
        const sigHeader = String(headers['workos-signature']);
        // The time of the service may have been advanced by days, which the SDK would reject as too old.
        await sdk().webhooks.constructEvent({
          payload,
          sigHeader,
          secret: body.secret,
          tolerance: Number.MAX_SAFE_INTEGER,
        });
        delivered.push({ event: payload.event, data: payload.data });
      }
      const missing = events.filter((name) => !delivered.some(({ event }) => event === name));
      if (missing.length > 0) throw new Error(`Not delivered: ${missing.join(', ')}`);
      return delivered;
    },
  };
}

import { receiver } from '../../support/receiver.ts';
import { call, idle } from '../../support/service.ts';

/** An event in a webhook. */
export interface SentEvent {
  event: string;
  data: Record<string, unknown>;
}

/** Subscribes to events. @returns the received ones, after all work is done */
export async function webhookEvents(names: readonly string[]): Promise<() => Promise<SentEvent[]>> {
  const hooks = await receiver();
  await call('POST', '/webhook_endpoints', { endpoint_url: hooks.url, events: names });
  return async () => {
    await idle();
    return hooks.requests.map(({ body }) => JSON.parse(body) as SentEvent);
  };
}

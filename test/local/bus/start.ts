import * as events from '@aws-sdk/client-eventbridge';
import type { Faults } from '../../../lib/local/aws-json.ts';
import type { BusEvent, Deliver } from '../../../lib/local/bus/deliverer.ts';
import type { BusRule } from '../../../lib/local/bus/put-events.ts';
import { startBus } from '../../../lib/local/bus/server.ts';
import { atEnd, clientOptions } from '../aws.ts';

/** A client of a local bus. */
export function findClient(url: string): events.EventBridgeClient {
  const client = new events.EventBridgeClient(clientOptions(url));
  atEnd(() => client.destroy());
  return client;
}

export const dispatch = 'arn:aws:lambda:us-east-1:000000000000:function:dispatch';

/** A rule with a target, for all events or for those that match. */
export const rule = (targetArn = dispatch, matches: BusRule['matches'] = () => true): BusRule => ({
  name: 'rule',
  targetArn,
  matches,
});

/**
 * The bus `main` of this test, whose clock the test moves; `delivered` lists the delivered events. Without rules one
 * delivers everything to `dispatch`.
 */
export async function start(
  options: { rules?: readonly BusRule[]; dataFolder?: string; faults?: Faults; deliver?: Deliver } = {},
) {
  const clock = { now: Date.parse('2026-01-01T00:00:00.500Z') };
  const delivered: { arn: string; event: BusEvent }[] = [];
  const deliver: Deliver = async (arn, event) => {
    await options.deliver?.(arn, event);
    delivered.push({ arn, event });
  };
  const bus = await startBus({ name: 'main', rules: [rule()], now: () => clock.now, ...options, deliver });
  atEnd(() => bus.close());
  return { bus, clock, delivered, client: findClient(bus.url) };
}

/** An entry for the bus `main`. */
export const entry = (
  detail: object = { a: 1 },
  more: events.PutEventsRequestEntry = {},
): events.PutEventsRequestEntry => ({
  EventBusName: 'main',
  Source: 'gatehouse',
  DetailType: 'organization.created',
  Detail: JSON.stringify(detail),
  ...more,
});

/** Sends entries to the bus. */
export const put = (client: events.EventBridgeClient, ...Entries: events.PutEventsRequestEntry[]) =>
  client.send(new events.PutEventsCommand({ Entries }));

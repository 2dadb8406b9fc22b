import * as events from '@aws-sdk/client-eventbridge';
import type { Faults } from '../../../lib/local/aws-json.ts';
import type { BusEvent, Deliver } from '../../../lib/local/bus/deliverer.ts';
import { startBus } from '../../../lib/local/bus/server.ts';
import { atEnd, clientOptions } from '../aws.ts';

/** A client of a local bus. */
export function findClient(url: string): events.EventBridgeClient {
  const client = new events.EventBridgeClient(clientOptions(url));
  atEnd(() => client.destroy());
  return client;
}

/** A bus of the test's own, whose clock the test moves; what is delivered lands in `delivered`. */
export async function start(options: { dataFolder?: string; faults?: Faults; deliver?: Deliver } = {}) {
  const clock = { now: Date.parse('2026-01-01T00:00:00.500Z') };
  const delivered: { arn: string; event: BusEvent }[] = [];
  const deliver: Deliver = async (arn, event) => {
    await options.deliver?.(arn, event);
    delivered.push({ arn, event });
  };
  const bus = await startBus({ now: () => clock.now, ...options, deliver });
  atEnd(() => bus.close());
  return { bus, clock, delivered, client: findClient(bus.url) };
}

export const dispatch = 'arn:aws:lambda:us-east-1:000000000000:function:dispatch';

/** Writes a rule on the bus `main` (made when missing) with targets named t0, t1, …. */
export async function newRule(
  client: events.EventBridgeClient,
  pattern: object,
  { name = 'rule', targets = [{ Arn: dispatch }] as Omit<events.Target, 'Id'>[] } = {},
): Promise<string | undefined> {
  await client.send(new events.CreateEventBusCommand({ Name: 'main' })).catch((error: unknown) => {
    if (!(error instanceof events.ResourceAlreadyExistsException)) throw error;
  });
  const rule = { Name: name, EventBusName: 'main', EventPattern: JSON.stringify(pattern) };
  const { RuleArn } = await client.send(new events.PutRuleCommand(rule));
  const Targets = targets.map((target, index) => ({ ...target, Id: `t${index}` }));
  await client.send(new events.PutTargetsCommand({ Rule: name, EventBusName: 'main', Targets }));
  return RuleArn;
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

/** Puts entries. */
export const put = (client: events.EventBridgeClient, ...Entries: events.PutEventsRequestEntry[]) =>
  client.send(new events.PutEventsCommand({ Entries }));

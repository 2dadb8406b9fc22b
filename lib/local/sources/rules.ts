import { WORK_PREFIX } from '../../../functions/kernel/storage/work.ts';
import type { FunctionDescription, Topology } from '../../topology/model.ts';
import { type Engine, callAws } from '../aws-call.ts';
import { arnOfFunction } from '../functions.ts';

/** The local name of the bus. */
export const BUS_NAME = 'gatehouse-local';

type OnEvents = Extract<FunctionDescription['source'], { kind: 'events' }>;

/** Creates the bus and its rules according to the topology; rules of removed functions are deleted. */
export async function makeRules(bus: Engine, topology: Topology): Promise<void> {
  const { EventBuses } = await callAws<{ EventBuses: { Name: string }[] }>(bus, 'ListEventBuses', {});
  if (!EventBuses.some(({ Name }) => Name === BUS_NAME)) await callAws(bus, 'CreateEventBus', { Name: BUS_NAME });
  const wanted = topology.functions.filter(({ source }) => source.kind === 'events');
  const { Rules } = await callAws<{ Rules: { Name: string }[] }>(bus, 'ListRules', { EventBusName: BUS_NAME });
  for (const { Name } of Rules.filter((rule) => !wanted.some(({ name }) => name === rule.Name))) {
    await callAws(bus, 'RemoveTargets', { Rule: Name, EventBusName: BUS_NAME, Ids: ['function'] });
    await callAws(bus, 'DeleteRule', { Name, EventBusName: BUS_NAME });
  }
  for (const { name, source } of wanted) {
    const EventPattern = JSON.stringify(makePattern(source as OnEvents));
    await callAws(bus, 'PutRule', { Name: name, EventBusName: BUS_NAME, EventPattern });
    const Targets = [{ Id: 'function', Arn: arnOfFunction(name) }];
    await callAws(bus, 'PutTargets', { Rule: name, EventBusName: BUS_NAME, Targets });
  }
}

/** An event pattern that matches a worker's events by their detail type. */
function makePattern({ events = [], prefixes = [] }: OnEvents): object {
  const names = [...events, ...prefixes.map((prefix) => ({ prefix }))];
  return { 'detail-type': names.length === 0 ? [{ 'anything-but': { prefix: WORK_PREFIX } }] : names };
}

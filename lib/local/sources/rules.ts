import { WORK_PREFIX } from '../../../functions/kernel/storage/work.ts';
import type { FunctionDescription, Topology } from '../../topology/model.ts';
import type { BusRule } from '../bus/put-events.ts';
import { arnOfFunction } from '../functions.ts';

/** The local name of the bus. */
export const BUS_NAME = 'gatehouse-local';

type OnEvents = Extract<FunctionDescription['source'], { kind: 'events' }>;

/** The rules of the topology: one for each worker that events start. */
export const busRules = ({ functions }: Topology): BusRule[] =>
  functions.flatMap(({ name, source }) =>
    source.kind === 'events' ? [{ name, targetArn: arnOfFunction(name), matches: composeMatcher(source) }] : [],
  );

/** Makes a matcher for the detail types that a worker names; without names it matches all events, but no work. */
function composeMatcher({ events = [], prefixes = [] }: OnEvents): BusRule['matches'] {
  if (events.length + prefixes.length === 0) return (detailType) => !detailType.startsWith(WORK_PREFIX);
  const names = new Set<string>(events);
  return (detailType) => names.has(detailType) || prefixes.some((prefix) => detailType.startsWith(prefix));
}

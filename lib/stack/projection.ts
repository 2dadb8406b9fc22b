import type { FunctionDescription, Topology } from '../topology/model.ts';

/**
 * The size of the registry for which there must be room: the areas that were planned, of which the console is the last, and one
 * further one. The limits are measured with it. The routes of the API are the limit that is used most.
 */
export const AREAS = 32;

/** Paths of future areas that share a prefix with others; all paths below one own prefix are one route. */
const COMING: Readonly<Record<string, readonly string[]>> = {};

/**
 * The paths of other areas, of which one is below an organization and one below a user. Four is more than the average of the
 * areas that were added last: account has four routes, passkeys have two.
 */
const further = (name: string): string[] => [
  `/${name}`,
  `/${name}/{id}`,
  `/organizations/{id}/${name}`,
  `/user_management/users/{id}/${name}`,
];

/**
 * The system with all future areas: each has an API function and a worker on the bus, and every second one a schedule
 * too.
 */
export function projected(topology: Topology): Topology {
  const areas = new Set(topology.functions.map(({ area }) => area));
  const named = Object.entries(COMING).filter(([name]) => !areas.has(name));
  const left = Math.max(0, AREAS - areas.size - named.length);
  const others = Array.from({ length: left }, (_, at) => `further-area-${at + 1}`).map(
    (name): [string, readonly string[]] => [name, further(name)],
  );
  const model = (kind: string): FunctionDescription => {
    const all = topology.functions.filter(({ source }) => source.kind === kind);
    const [largest] = all.sort((a, b) => b.needs.length - a.needs.length);
    if (largest === undefined) throw new Error(`no function has a source of the kind ${kind}`);
    return largest;
  };
  const added = [...named, ...others].flatMap(([area, paths], at): FunctionDescription[] => [
    { ...model('http'), name: `${area}-http`, area, source: { kind: 'http', paths } },
    { ...model('events'), name: `${area}-react`, area, source: { kind: 'events', events: [`${area}.created`] } },
    ...(at % 2 === 0
      ? [{ ...model('schedule'), name: `${area}-sweep`, area, source: { kind: 'schedule', everyMinutes: 5 } as const }]
      : []),
  ]);
  return { ...topology, functions: [...topology.functions, ...added] };
}

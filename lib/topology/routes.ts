import type { Topology } from './model.ts';

/** A route of the API: `/a/{p1}/b`, `/a/{proxy+}` for all paths below `/a`, or `$default`. */
export interface Route {
  path: string;
  functionName: string;
}

/** The text for any parameter when paths are compared by their form. */
const PARAMETER = '{}';
const GREEDY = '{proxy+}';
/**
 * Minimum number of routes that a greedy route must save if several functions have paths below it. So sign-in keeps its own routes, for which
 * there are throttles (`throttles.ts`). Below a prefix of the operations that the contract does not have (`/x/<prefix>`), one is enough.
 */
const LEAST_SAVED = { own: 1, others: 10 };
const OWN = 'x';

interface Place {
  children: Map<string, Place>;
  /** The function that has an operation at exactly this path. */
  owner?: string;
  /** The function that has all paths below, where a free text begins. */
  below?: string;
}

/** The paths of a function. */
interface Claim {
  segments: readonly string[];
  isGreedy: boolean;
  functionName: string;
}

/**
 * The fewest routes by which each path of a topology reaches its function, since an HTTP API can have 300. If all paths
 * below a prefix belong to one function, they are one greedy route, and the function's own router returns 404 and 405; below `/x/<area>`
 * all paths are of that area, but for those of others. A
 * request uses the route that matches its whole path, otherwise the most specific greedy one, otherwise `$default`
 * (https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-routes.html).
 * @throws Error when two functions have one path, or two handle unknown paths
 */
export function listRoutes({ functions }: Pick<Topology, 'functions'>): Route[] {
  const claims = functions.flatMap(({ name, source }) =>
    source.kind === 'http' ? source.paths.flatMap((path) => listClaims(path, name)) : [],
  );
  const root: Place = { children: new Map() };
  for (const claim of claims) place(root, claim);
  const covered = new Cover().of(root, undefined, []);
  const routes = [...covered, ...unreached(claims, covered)];
  const others = functions.filter(({ source }) => source.kind === 'http' && source.respondsToUnknownPaths === true);
  if (others.length > 1) throw new Error(`${others.map(({ name }) => name).join(' and ')} both serve unknown paths`);
  return [
    ...routes.map(({ segments, isGreedy, functionName }) => ({ path: joinPath(segments, isGreedy), functionName })),
    ...others.map(({ name }) => ({ path: '$default', functionName: name })),
  ].sort((a, b) => (a.path < b.path ? -1 : 1));
}

function listClaims(path: string, functionName: string): Claim[] {
  const segments = path.slice(1).split('/');
  const shape = segments.map((segment) => (segment.startsWith('{') ? PARAMETER : segment));
  const freeText = segments.findIndex((segment) => segment.endsWith('+}'));
  const exact = { segments: shape, isGreedy: false, functionName };
  return freeText < 0 ? [exact] : [exact, { segments: shape.slice(0, freeText), isGreedy: true, functionName }];
}

function place(root: Place, { segments, isGreedy, functionName }: Claim): void {
  let at = root;
  for (const segment of segments) {
    const next: Place = at.children.get(segment) ?? { children: new Map() };
    at.children.set(segment, next);
    at = next;
  }
  const known = isGreedy ? at.below : at.owner;
  if (known !== undefined && known !== functionName) {
    throw new Error(`${known} and ${functionName} both serve ${joinPath(segments, isGreedy)}`);
  }
  if (isGreedy) at.below = functionName;
  else at.owner = functionName;
}

/** The fewest routes of a path and all paths below it, for a given function of the greedy route above. */
class Cover {
  readonly #known = new Map<Place, Map<string | undefined, Claim[]>>();

  of(at: Place, above: string | undefined, segments: readonly string[]): Claim[] {
    const known = this.#known.get(at)?.get(above);
    if (known !== undefined) return known;
    const own = at.owner === undefined || at.owner === above ? [] : [exactly(segments, at.owner)];
    const routes = [...own, ...this.#below(at, above, segments)];
    this.#known.set(at, (this.#known.get(at) ?? new Map<string | undefined, Claim[]>()).set(above, routes));
    return routes;
  }

  #below(at: Place, above: string | undefined, segments: readonly string[]): Claim[] {
    const children = (greedy: string | undefined) =>
      [...at.children].flatMap(([segment, child]) => this.of(child, greedy, [...segments, segment]));
    const greedily = (functionName: string): Claim[] =>
      functionName === above
        ? children(above)
        : [{ segments, isGreedy: true, functionName }, ...children(functionName)];
    if (at.below !== undefined) return greedily(at.below);
    const without = children(above);
    // Paths directly below the root belong to the function that handles unknown paths.
    if (segments.length === 0 || at.children.size === 0) return without;
    const owners = [...ownersBelow(at)];
    const [best] = owners.map(greedily).sort((a, b) => a.length - b.length);
    if (best === undefined) return without;
    const isOwnPrefix = segments[0] === OWN && segments.length === 2;
    // New operations of an area below a prefix with its name need no route.
    const named = owners.find((name) => isOwnPrefix && name === `${segments[1]}-http`);
    if (named !== undefined) return greedily(named);
    const saved = without.length - best.length;
    const least = segments[0] === OWN && segments.length > 1 ? LEAST_SAVED.own : LEAST_SAVED.others;
    return saved >= (owners.length === 1 ? 0 : least) && !(above === owners[0] && saved === 0) ? best : without;
  }
}

function* ownersBelow({ children, below }: Place, seen = new Set<string>()): Generator<string> {
  for (const name of [below, ...[...children.values()].map(({ owner }) => owner)]) {
    if (name === undefined || seen.has(name)) continue;
    seen.add(name);
    yield name;
  }
  for (const child of children.values()) yield* ownersBelow(child, seen);
}

/**
 * Exact routes that are needed because another function's greedy route could match the path, whichever one API Gateway
 * considers more specific.
 */
function unreached(claims: readonly Claim[], routes: readonly Claim[]): Claim[] {
  const has = new Set(routes.map(({ segments, isGreedy }) => joinPath(segments, isGreedy)));
  return claims.filter(({ segments, isGreedy, functionName }) => {
    if (has.has(joinPath(segments, isGreedy))) return false;
    const rivals = routes.filter((route) => couldMeet({ segments, isGreedy }, route));
    const own = rivals.filter((route) => route.functionName === functionName && route.isGreedy);
    return rivals
      .filter((route) => route.functionName !== functionName)
      .some((rival) => !own.some((route) => isWithin(route, rival)));
  });
}

const meets = (a: string | undefined, b: string | undefined): boolean => a === b || a === PARAMETER || b === PARAMETER;

/** Reports whether one request could match both routes. */
function couldMeet(a: Pick<Claim, 'segments' | 'isGreedy'>, b: Claim): boolean {
  const length = Math.min(a.segments.length, b.segments.length);
  for (let at = 0; at < length; at += 1) if (!meets(a.segments[at], b.segments[at])) return false;
  const [shorter, longer] = a.segments.length < b.segments.length ? [a, b] : [b, a];
  return shorter.segments.length === longer.segments.length ? a.isGreedy === b.isGreedy : shorter.isGreedy;
}

/** Reports whether a greedy route is more specific than another in every sense. */
const isWithin = (inner: Claim, outer: Claim): boolean =>
  outer.isGreedy &&
  inner.segments.length > outer.segments.length &&
  outer.segments.every((segment, at) => segment === inner.segments[at] || segment === PARAMETER);

const exactly = (segments: readonly string[], functionName: string): Claim => ({
  segments,
  isGreedy: false,
  functionName,
});

/** Parameters are named by their position, since the gateway only compares the form of a path. */
function joinPath(segments: readonly string[], isGreedy: boolean): string {
  let parameter = 0;
  const named = segments.map((segment) => (segment === PARAMETER ? `{p${(parameter += 1)}}` : segment));
  return `/${[...named, ...(isGreedy ? [GREEDY] : [])].join('/')}`;
}

/** Finds the route of a path as API Gateway does. */
export class RouteTable {
  readonly #exact: { segments: string[]; route: Route }[] = [];
  readonly #greedy: { segments: string[]; route: Route }[] = [];
  readonly #other: Route | undefined;

  constructor(routes: readonly Route[]) {
    for (const route of routes) {
      if (route.path === '$default') continue;
      const segments = route.path
        .slice(1)
        .split('/')
        .map((segment) => (/^\{p\d+\}$/.test(segment) ? PARAMETER : segment));
      if (segments.at(-1) === GREEDY) this.#greedy.push({ segments: segments.slice(0, -1), route });
      else this.#exact.push({ segments, route });
    }
    this.#exact.sort(bySpecificity);
    this.#greedy.sort((a, b) => b.segments.length - a.segments.length || bySpecificity(a, b));
    this.#other = routes.find(({ path }) => path === '$default');
  }

  /** The route of a path; undefined if none matches. */
  find(path: string): Route | undefined {
    const given = path.slice(1).split('/');
    const takes = (segments: readonly string[]): boolean =>
      segments.every((segment, at) => (segment === PARAMETER ? given[at] !== '' : segment === given[at]));
    const exact = this.#exact.find(({ segments }) => segments.length === given.length && takes(segments));
    if (exact !== undefined) return exact.route;
    const greedy = this.#greedy.find(
      ({ segments }) => given.slice(segments.length).join('/') !== '' && takes(segments),
    );
    return greedy?.route ?? this.#other;
  }
}

/** Compares two routes: literal segments come before parameters, from the left. */
function bySpecificity({ segments: a }: { segments: string[] }, { segments: b }: { segments: string[] }): number {
  const at = a.findIndex((segment, index) => (segment === PARAMETER) !== (b[index] === PARAMETER));
  return at < 0 ? 0 : a[at] === PARAMETER ? 1 : -1;
}

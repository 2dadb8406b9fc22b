import { spellingsOf } from '../compatibility.ts';
import type { Operation } from '../operation.ts';

interface Node {
  literals: Map<string, Node>;
  parameter?: Node;
  operations: Map<string, { operation: Operation; names: readonly string[] }>;
}

/** What a method and path lead to. */
export type Route =
  | { kind: 'found'; operation: Operation; params: Record<string, string> }
  | { kind: 'method'; allowed: readonly string[] }
  | { kind: 'none' };

const newNode = (): Node => ({ literals: new Map(), operations: new Map() });

/** Finds operations by method and path in time that depends on the path alone. A literal segment wins over a name. */
export class Router {
  readonly #root = newNode();

  constructor(operations: readonly Operation[]) {
    for (const operation of operations) {
      for (const path of spellingsOf(operation.path)) this.#add(path, operation);
    }
  }

  #add(path: string, operation: Operation): void {
    let node = this.#root;
    const names: string[] = [];
    for (const segment of path.slice(1).split('/')) {
      if (segment.startsWith('{')) {
        names.push(segment.slice(1, -1));
        node = node.parameter ??= newNode();
      } else {
        const known: Node = node.literals.get(segment) ?? newNode();
        node.literals.set(segment, known);
        node = known;
      }
    }
    if (node.operations.has(operation.method)) throw new Error(`${operation.method} ${path} is declared twice`);
    node.operations.set(operation.method, { operation, names });
  }

  find(method: string, path: string): Route {
    const segments = segmentsOf(path);
    if (segments === undefined) return { kind: 'none' };
    const hits = [...reach(this.#root, segments, [])];
    for (const { node, values } of hits) {
      const hit = node.operations.get(method);
      if (hit === undefined) continue;
      const params = Object.fromEntries(hit.names.map((name, at) => [name, values[at] ?? '']));
      return { kind: 'found', operation: hit.operation, params };
    }
    const allowed = [...new Set(hits.flatMap(({ node }) => [...node.operations.keys()]))];
    return allowed.length > 0 ? { kind: 'method', allowed } : { kind: 'none' };
  }
}

/** The decoded segments; undefined where one is empty or not decodable, which no operation's path is. */
function segmentsOf(path: string): string[] | undefined {
  const trimmed = path.endsWith('/') && path.length > 1 ? path.slice(0, -1) : path;
  try {
    const segments = trimmed.slice(1).split('/').map(decodeURIComponent);
    return segments.includes('') ? undefined : segments;
  } catch {
    return undefined;
  }
}

function* reach(
  node: Node,
  segments: readonly string[],
  values: readonly string[],
): Generator<{ node: Node; values: readonly string[] }> {
  const [segment, ...rest] = segments;
  if (segment === undefined) {
    if (node.operations.size > 0) yield { node, values };
    return;
  }
  const literal = node.literals.get(segment);
  if (literal !== undefined) yield* reach(literal, rest, values);
  if (node.parameter !== undefined) yield* reach(node.parameter, rest, [...values, segment]);
}

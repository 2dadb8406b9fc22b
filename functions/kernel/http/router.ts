import { listSpellings } from '../compatibility.ts';
import type { Operation } from '../operation.ts';

interface Node {
  literals: Map<string, Node>;
  parameter?: Node;
  /** Parameters that may contain slashes, each with the literal segments after it. */
  freeTexts: { suffix: readonly string[]; node: Node }[];
  operations: Map<string, { operation: Operation; names: readonly string[] }>;
}

/** The operation and parameters of a method and path. */
export type Route =
  | { kind: 'found'; operation: Operation; params: Record<string, string> }
  | { kind: 'method'; allowed: readonly string[] }
  | { kind: 'none' };

const newNode = (): Node => ({ literals: new Map(), freeTexts: [], operations: new Map() });

/**
 * Finds operations by method and path, in time that only depends on the path. A literal segment has priority over a
 * parameter. API Gateway has decoded the path once, so nothing is decoded here, and an encoded slash has become a
 * slash. A parameter whose values may contain one is declared as `freeText`. The router is written by hand because libraries
 * such as find-my-way decode paths themselves and accept a wildcard only as the last segment.
 */
export class Router {
  readonly #root = newNode();

  constructor(operations: readonly Operation[]) {
    for (const operation of operations) {
      for (const path of listSpellings(operation.path)) this.#add(path, operation);
    }
  }

  #add(path: string, operation: Operation): void {
    let node = this.#root;
    const names: string[] = [];
    const segments = path.slice(1).split('/');
    for (const [at, segment] of segments.entries()) {
      if (!segment.startsWith('{')) {
        const known: Node = node.literals.get(segment) ?? newNode();
        node.literals.set(segment, known);
        node = known;
        continue;
      }
      const name = segment.slice(1, -1);
      names.push(name);
      if (name === operation.freeText) {
        node = freeTextNode(node, segments.slice(at + 1));
        break;
      }
      node = node.parameter ??= newNode();
    }
    if (node.operations.has(operation.method)) throw new Error(`${operation.method} ${path} is declared twice`);
    node.operations.set(operation.method, { operation, names });
  }

  find(method: string, path: string): Route {
    const hits = [...reach(this.#root, path.slice(1).split('/'), [])];
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

/**
 * Returns the node after a free text.
 * @throws Error for a parameter after a free text, since the end of the text would be ambiguous
 */
function freeTextNode(node: Node, suffix: readonly string[]): Node {
  if (suffix.some((segment) => segment.startsWith('{'))) throw new Error('no parameter can follow a free text');
  const known = node.freeTexts.find((each) => each.suffix.join('/') === suffix.join('/'));
  if (known !== undefined) return known.node;
  const added = newNode();
  node.freeTexts.push({ suffix, node: added });
  // Longer suffixes come first, so that a text is matched with the longest suffix, whichever was declared first.
  node.freeTexts.sort((one, other) => other.suffix.length - one.suffix.length);
  return added;
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
  if (node.parameter !== undefined && segment !== '') yield* reach(node.parameter, rest, [...values, segment]);
  for (const { suffix, node: end } of node.freeTexts) {
    const length = segments.length - suffix.length;
    const text = segments.slice(0, Math.max(0, length)).join('/');
    const isSuffixed = suffix.every((each, at) => segments[length + at] === each);
    if (text !== '' && isSuffixed) yield { node: end, values: [...values, text] };
  }
}

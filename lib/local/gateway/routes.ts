import type { Topology } from '../../topology/model.ts';

interface Place {
  literals: Map<string, Place>;
  parameter?: Place;
  functionName?: string;
}

const newPlace = (): Place => ({ literals: new Map() });

/** The function that owns a path. The most specific route wins: a literal segment before a parameter. */
export class Routes {
  readonly #root = newPlace();

  /** @throws Error when two functions own one path */
  constructor({ functions }: Topology) {
    for (const { name, source } of functions) {
      if (source.kind === 'http') for (const path of source.paths) this.#add(path, name);
    }
  }

  #add(path: string, functionName: string): void {
    let place = this.#root;
    for (const segment of segmentsOf(path)) {
      if (segment.startsWith('{')) {
        place = place.parameter ??= newPlace();
      } else {
        const next: Place = place.literals.get(segment) ?? newPlace();
        place.literals.set(segment, next);
        place = next;
      }
    }
    if (place.functionName !== undefined && place.functionName !== functionName) {
      throw new Error(`${path} belongs to ${place.functionName} and to ${functionName}`);
    }
    place.functionName = functionName;
  }

  /** The name of the function for a path; undefined when there is none. */
  find(path: string): string | undefined {
    return find(this.#root, segmentsOf(path));
  }
}

function segmentsOf(path: string): string[] {
  const trimmed = path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
  return trimmed.slice(1).split('/');
}

function find(place: Place, [segment, ...rest]: readonly string[]): string | undefined {
  if (segment === undefined) return place.functionName;
  const literal = place.literals.get(segment);
  const found = literal && find(literal, rest);
  if (found !== undefined || place.parameter === undefined || segment === '') return found;
  return find(place.parameter, rest);
}

import { type Placeholders, valueAt } from './condition.ts';
import type { Path, Tokens } from './tokens.ts';
import { addNumbers, areEqual, invalid, type Item, readType, type Value } from './values.ts';

/** An operand on the right of `SET`. */
type Source =
  | { path: Path }
  | { value: string }
  | { path: Path; otherwise: Source }
  | { first: Source; second: Source }
  | { one: Source; other: Source; sign: 1 | -1 };

/** One change of an update. */
type Change =
  | { kind: 'SET'; path: Path; source: Source }
  | { kind: 'REMOVE'; path: Path }
  | { kind: 'ADD' | 'DELETE'; path: Path; value: string };

/** An update as it was read from an expression. */
export type Update = readonly Change[];

const CLAUSES = ['SET', 'REMOVE', 'ADD', 'DELETE'] as const;

/** Reads an update. @throws TableError */
export function readUpdate(tokens: Tokens): Update {
  const changes: Change[] = [];
  const seen = new Set<string>();
  while (tokens.peek() !== undefined) {
    const clause = CLAUSES.find((name) => tokens.take(name));
    if (clause === undefined) throw tokens.error();
    if (seen.has(clause)) {
      throw invalid(`Invalid UpdateExpression: The "${clause}" section can only be used once in an update expression;`);
    }
    seen.add(clause);
    do changes.push(readChange(tokens, clause));
    while (tokens.take(','));
  }
  tokens.end();
  return changes;
}

function readChange(tokens: Tokens, kind: (typeof CLAUSES)[number]): Change {
  const path = tokens.path();
  if (kind === 'REMOVE') return { kind, path };
  if (kind === 'SET') {
    tokens.expect('=');
    return { kind, path, source: readSource(tokens) };
  }
  const value = tokens.value();
  if (value === undefined) throw tokens.error();
  return { kind, path, value };
}

function readSource(tokens: Tokens): Source {
  const one = readTerm(tokens);
  const sign = tokens.takeOperator('+') ? 1 : tokens.takeOperator('-') ? -1 : undefined;
  return sign === undefined ? one : { one, other: readTerm(tokens), sign };
}

function readTerm(tokens: Tokens): Source {
  const value = tokens.value();
  if (value !== undefined) return { value };
  if (tokens.peek(1) !== '(') return { path: tokens.path() };
  const name = tokens.peek() ?? '';
  tokens.takeOperator(name.toUpperCase());
  tokens.expect('(');
  const term = readCall(tokens, name);
  tokens.expect(')');
  return term;
}

function readCall(tokens: Tokens, name: string): Source {
  if (name === 'if_not_exists') {
    const path = tokens.path();
    tokens.expect(',');
    return { path, otherwise: readTerm(tokens) };
  }
  if (name === 'list_append') {
    const first = readTerm(tokens);
    tokens.expect(',');
    return { first, second: readTerm(tokens) };
  }
  throw tokens.invalid(`Invalid function name; function: ${name}`);
}

/** A path whose placeholders are replaced by names. */
export type Place = readonly (string | number)[];

const resolvePlace = (path: Path, { names }: Placeholders): Place =>
  path.map((step) => (typeof step === 'string' && step.startsWith('#') ? (names[step] as string) : step));

/** The places at paths. @param kind the parameter with the paths @throws TableError if one place is within another */
export function readPlaces(kind: string, paths: readonly Path[], at: Placeholders): readonly Place[] {
  const places = paths.map((path) => resolvePlace(path, at));
  checkOverlaps(kind, places);
  return places;
}

/** Applies an update to an item; every operand is read before any change. @throws TableError */
export function applyUpdate(update: Update, item: Item, at: Placeholders): Item {
  const changes = update.map((change) => ({ place: resolvePlace(change.path, at), value: newValue(change, item, at) }));
  let changed = item;
  for (const { place, value } of changes) if (value !== undefined) changed = withValue(changed, place, value);
  // Elements of a list are removed from its end, so that the other indexes stay as they were.
  const removed = changes.filter(({ value }) => value === undefined).map(({ place }) => place);
  for (const place of removed.sort(byLastIndex)) changed = withValue(changed, place, undefined);
  return changed;
}

const byLastIndex = (one: Place, other: Place): number => {
  const [a, b] = [one.at(-1), other.at(-1)];
  return typeof a === 'number' && typeof b === 'number' ? b - a : 0;
};

function checkOverlaps(kind: string, places: readonly Place[]): void {
  for (const [index, one] of places.entries()) {
    for (const other of places.slice(index + 1)) {
      const [short, long] = one.length <= other.length ? [one, other] : [other, one];
      if (short.every((step, at) => step === long[at])) {
        throw invalid(
          `Invalid ${kind}: Two document paths overlap with each other; must remove or rewrite one of these ` +
            `paths; path one: [${one.join(', ')}], path two: [${other.join(', ')}]`,
        );
      }
    }
  }
}

/** The value that a change gives its place; undefined for none. */
function newValue(change: Change, item: Item, at: Placeholders): Value | undefined {
  if (change.kind === 'REMOVE') return undefined;
  if (change.kind === 'SET') return read(change.source, item, at);
  const value = at.values[change.value] as Value;
  const old = valueAt(item, change.path, at);
  return change.kind === 'ADD' ? added(old, value) : without(old, value);
}

function read(source: Source, item: Item, at: Placeholders): Value {
  if ('value' in source) return at.values[source.value] as Value;
  if ('otherwise' in source) return valueAt(item, source.path, at) ?? read(source.otherwise, item, at);
  if ('first' in source) {
    const [first, second] = [read(source.first, item, at).L, read(source.second, item, at).L];
    if (!Array.isArray(first) || !Array.isArray(second)) throw wrongType();
    return { L: [...(first as Value[]), ...(second as Value[])] };
  }
  if ('one' in source) {
    const [one, other] = [read(source.one, item, at).N, read(source.other, item, at).N];
    if (typeof one !== 'string' || typeof other !== 'string') throw wrongType();
    return { N: addNumbers(one, other, source.sign) };
  }
  const value = valueAt(item, source.path, at);
  if (value === undefined) {
    throw invalid('The provided expression refers to an attribute that does not exist in the item');
  }
  return value;
}

const wrongType = (): Error => invalid('An operand in the update expression has an incorrect data type');

function added(old: Value | undefined, value: Value): Value {
  const type = readType(value);
  if (type !== 'N' && type.length !== 2) {
    throw invalid(
      `Invalid UpdateExpression: Incorrect operand type for operator or function; operator: ADD, operand type: ${type}`,
    );
  }
  if (old === undefined) return value;
  if (readType(old) !== type) throw wrongType();
  if (type === 'N') return { N: addNumbers(old.N as string, value.N as string) };
  return { [type]: [...new Set([...(old[type] as string[]), ...(value[type] as string[])])] };
}

function without(old: Value | undefined, value: Value): Value | undefined {
  const type = readType(value);
  if (type.length !== 2 || type === 'N') {
    throw invalid(
      `Invalid UpdateExpression: Incorrect operand type for operator or function; operator: DELETE, operand type: ${type}`,
    );
  }
  if (old === undefined) return undefined;
  if (readType(old) !== type) throw wrongType();
  const gone = new Set(value[type] as string[]);
  const left = (old[type] as string[]).filter((member) => !gone.has(member));
  return left.length === 0 ? undefined : { [type]: left };
}

/** A copy of an item with another value at a place, or none. The other values are shared. */
function withValue(item: Item, place: Place, value: Value | undefined): Item {
  return (replaced({ M: item }, place, value) as { M: Item }).M;
}

function replaced(holder: Value | undefined, [step, ...rest]: Place, value: Value | undefined): Value {
  if (typeof step === 'number') {
    if (!Array.isArray(holder?.L)) throw noPath();
    const list = [...(holder.L as Value[])];
    if (rest.length > 0) {
      if (list[step] === undefined) throw noPath();
      list[step] = replaced(list[step], rest, value);
    } else if (value === undefined) list.splice(step, 1);
    else list[Math.min(step, list.length)] = value;
    return { L: list };
  }
  const map = holder?.M as Item | undefined;
  if (map === undefined || step === undefined) throw noPath();
  const copy: Record<string, Value> = { ...map };
  if (rest.length > 0) copy[step] = replaced(Object.hasOwn(map, step) ? map[step] : undefined, rest, value);
  else if (value === undefined) delete copy[step];
  else copy[step] = value;
  return { M: copy };
}

const noPath = (): Error => invalid('The document path provided in the update expression is invalid for update');

/** Reports whether two items are equal, so that a write of one over the other changes nothing. */
export const areSameItems = (one: Item, other: Item): boolean => areEqual({ M: one }, { M: other });

/** Returns the parts of an item at the given document paths, in the item's structure. Lists have no gaps for elements that are left out. */
export function partsAt(item: Item, places: readonly Place[]): Item {
  if (places.every(({ length }) => length === 1)) {
    const names = places.map(([name]) => String(name)).filter((name) => Object.hasOwn(item, name));
    return Object.fromEntries(names.map((name) => [name, item[name] as Value]));
  }
  return (part({ M: item }, places) as { M: Item } | undefined)?.M ?? {};
}

function part(value: Value | undefined, places: readonly Place[]): Value | undefined {
  if (value === undefined || places.some(({ length }) => length === 0)) return value;
  const steps = [...new Set(places.map(([step]) => step))];
  const within = (step: string | number | undefined): Place[] =>
    places.filter(([first]) => first === step).map(([, ...rest]) => rest);
  if (Array.isArray(value.L)) {
    const indexes = steps.filter((step) => typeof step === 'number').sort((one, other) => one - other);
    const list = indexes.flatMap((index) => part((value.L as Value[])[index], within(index)) ?? []);
    return list.length === 0 ? undefined : { L: list };
  }
  const map = value.M as Item | undefined;
  if (map === undefined) return undefined;
  const found: Record<string, Value> = {};
  for (const step of steps) {
    if (typeof step !== 'string' || !Object.hasOwn(map, step)) continue;
    const inner = part(map[step], within(step));
    if (inner !== undefined) found[step] = inner;
  }
  return Object.keys(found).length === 0 ? undefined : { M: found };
}

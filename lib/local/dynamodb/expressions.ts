import { checkTypes, type Condition, isSatisfied, type Placeholders, readCondition } from './condition.ts';
import { limits } from './limits.ts';
import { type Path, Tokens } from './tokens.ts';
import { type Place, readPlaces, readUpdate, type Update } from './update.ts';
import { computeSize, invalid, type Item, readValue, type Value } from './values.ts';

/** The members of a request that contain expressions and their placeholders. */
export interface Expressions {
  ConditionExpression?: string;
  FilterExpression?: string;
  KeyConditionExpression?: string;
  ProjectionExpression?: string;
  UpdateExpression?: string;
  ExpressionAttributeNames?: Record<string, string>;
  ExpressionAttributeValues?: Record<string, Value>;
}

/** The expressions of a request, with its placeholders. */
export interface Given {
  at: Placeholders;
  condition: Condition | undefined;
  filter: Condition | undefined;
  keys: Condition | undefined;
  projection: readonly Place[] | undefined;
  update: Update | undefined;
}

interface Parsed<T> {
  read: T;
  names: ReadonlySet<string>;
  values: ReadonlySet<string>;
}

/** Expressions that were read before: the functions use some hundred. */
const known = new Map<string, Parsed<unknown>>();
const MAX_KNOWN = 5_000;

function parse<T>(kind: string, text: string, read: (tokens: Tokens) => T): Parsed<T> {
  const key = `${kind} ${text}`;
  const found = known.get(key);
  if (found !== undefined) return found as Parsed<T>;
  const tokens = new Tokens(text, kind);
  const parsed = { read: read(tokens), names: tokens.names, values: tokens.values };
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(key, parsed);
  return parsed;
}

function readProjection(tokens: Tokens): readonly Path[] {
  const paths = [tokens.path()];
  while (tokens.take(',')) paths.push(tokens.path());
  tokens.end();
  return paths;
}

/**
 * Reads the expressions of a request.
 * @throws TableError for a fault in one, an unknown placeholder, or one that no expression uses
 */
export function readExpressions(request: Expressions): Given {
  const used: [string, Parsed<unknown>][] = [];
  const take = <T>(kind: keyof Expressions, read: (tokens: Tokens) => T): T | undefined => {
    const text = request[kind];
    if (typeof text !== 'string') return undefined;
    const parsed = parse(kind, text, read);
    used.push([kind, parsed]);
    return parsed.read;
  };
  const keys = take('KeyConditionExpression', readCondition);
  const filter = take('FilterExpression', readCondition);
  const condition = take('ConditionExpression', readCondition);
  const projection = take('ProjectionExpression', readProjection);
  const update = take('UpdateExpression', readUpdate);
  const at = readPlaceholders(request, used);
  for (const [kind, read] of [
    ['ConditionExpression', condition],
    ['FilterExpression', filter],
    ['KeyConditionExpression', keys],
  ] as const) {
    if (read !== undefined) checkTypes(read, kind, at);
  }
  const places = projection && readPlaces('ProjectionExpression', projection, at);
  return { at, condition, filter, keys, projection: places, update };
}

function readPlaceholders(request: Expressions, used: readonly [string, Parsed<unknown>][]): Placeholders {
  const names = request.ExpressionAttributeNames ?? {};
  const sent = request.ExpressionAttributeValues ?? {};
  for (const [given, what] of [
    [request.ExpressionAttributeNames, 'ExpressionAttributeNames'],
    [request.ExpressionAttributeValues, 'ExpressionAttributeValues'],
  ] as const) {
    if (given === undefined) continue;
    if (used.length === 0) throw invalid(`${what} can only be specified when using expressions`);
    if (Object.keys(given).length === 0) throw invalid(`${what} must not be empty`);
  }
  const values: Record<string, Value> = {};
  for (const name in sent) values[name] = readValue(sent[name] as Value);
  checkSizes(names, values);
  for (const [kind, parsed] of used) {
    for (const name of parsed.names) {
      if (!Object.hasOwn(names, name)) {
        throw invalid(
          `Invalid ${kind}: An expression attribute name used in the document path is not defined; attribute name: ${name}`,
        );
      }
    }
    for (const value of parsed.values) {
      if (!Object.hasOwn(values, value)) {
        throw invalid(
          `Invalid ${kind}: An expression attribute value used in expression is not defined; attribute value: ${value}`,
        );
      }
    }
  }
  checkUse(
    'ExpressionAttributeNames',
    Object.keys(names),
    used.map(([, { names: inUse }]) => inUse),
  );
  checkUse(
    'ExpressionAttributeValues',
    Object.keys(values),
    used.map(([, { values: inUse }]) => inUse),
  );
  return { names, values };
}

function checkSizes(names: Readonly<Record<string, string>>, values: Readonly<Record<string, Value>>): void {
  let bytes = 0;
  for (const [name, size] of [
    ...Object.entries(names).map(([name, text]) => [name, Buffer.byteLength(text)] as const),
    ...Object.entries(values).map(([name, value]) => [name, computeSize(value)] as const),
  ]) {
    bytes += size;
    if (Buffer.byteLength(name) > limits.placeholderBytes) {
      throw invalid(`A placeholder has more than the maximum of ${limits.placeholderBytes} bytes: ${name}`);
    }
  }
  if (bytes > limits.substitutionBytes) {
    throw invalid(
      `The names and values of placeholders have more than the maximum of ${limits.substitutionBytes} bytes`,
    );
  }
}

function checkUse(what: string, given: readonly string[], used: readonly ReadonlySet<string>[]): void {
  const unused = given.filter((name) => !used.some((inUse) => inUse.has(name)));
  if (unused.length > 0) throw invalid(`Value provided in ${what} unused in expressions: keys: {${unused.join(', ')}}`);
}

/** Reports whether a condition is absent or true. */
export const isMet = (condition: Condition | undefined, item: Item | undefined, at: Placeholders): boolean =>
  condition === undefined || isSatisfied(condition, item, at);

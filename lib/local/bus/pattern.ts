import { InvalidPattern, valueMatcher, type ValueMatcher } from './value-matcher.ts';

/** Decides whether an event (the whole envelope, as parsed JSON) matches a pattern. */
export type EventMatcher = (event: unknown) => boolean;

/** Reports whether an object of the event matches; an absent object is matched as an empty one. */
type ObjectMatcher = (object: Readonly<Record<string, unknown>>) => boolean;

const absent: Readonly<Record<string, unknown>> = {};
const maxDepth = 100;

/**
 * Compiles an event pattern in JSON. All fields must match; a field's list matches if one of its values does; in an
 * event's array any element may match, and a nested pattern must match one object of an array as a whole.
 * https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-event-patterns.html
 * @throws InvalidPattern with the reason and the field
 */
export function compilePattern(text: string): EventMatcher {
  const matches = objectPattern(parse(text), '', 0);
  return (event) => isObject(event) && matches(event);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new InvalidPattern('the pattern is not JSON');
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function objectPattern(pattern: unknown, path: string, depth: number): ObjectMatcher {
  const place = path || 'the pattern';
  if (!isObject(pattern)) throw new InvalidPattern(`${place} must be an object or an array`);
  if (depth > maxDepth) throw new InvalidPattern(`${place} is nested too deeply`);
  const fields = Object.entries(pattern);
  if (fields.length === 0) throw new InvalidPattern(`${place} must not be empty`);
  const matchers = fields.map(([name, value]) => {
    const here = path ? `${path}.${name}` : name;
    return name === '$or' ? alternatives(value, here, depth) : field(name, value, here, depth);
  });
  return (object) => matchers.every((matches) => matches(object));
}

function alternatives(patterns: unknown, path: string, depth: number): ObjectMatcher {
  if (!Array.isArray(patterns) || patterns.length < 2) {
    throw new InvalidPattern(`${path} must be an array of two or more patterns`);
  }
  const matchers = patterns.map((one, index) => objectPattern(one, `${path}[${index}]`, depth + 1));
  return (object) => matchers.some((matches) => matches(object));
}

function field(name: string, pattern: unknown, path: string, depth: number): ObjectMatcher {
  const own = (object: Readonly<Record<string, unknown>>) => (Object.hasOwn(object, name) ? object[name] : undefined);
  if (!Array.isArray(pattern)) {
    const matches = objectPattern(pattern, path, depth + 1);
    return (object) => {
      const objects = elements(own(object)).filter(isObject);
      // A pattern below a missing object may still match: by `exists: false`.
      return objects.length === 0 ? matches(absent) : objects.some(matches);
    };
  }
  if (pattern.length === 0) throw new InvalidPattern(`${path} must not be an empty array`);
  const matchers: ValueMatcher[] = pattern.map((one) => valueMatcher(one, path));
  return (object) => {
    const leaves = elements(own(object)).filter((value) => !isObject(value));
    return matchers.some((matches) => matches(leaves));
  };
}

/** The values of a field: an array's elements, however nested, or the value itself; none if absent. */
function elements(value: unknown): unknown[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value.flat(Infinity) : [value];
}

import { BlockList, isIP } from 'node:net';

/** An invalid event pattern; the message gives the reason and the field. */
export class InvalidPattern extends Error {
  constructor(reason: string) {
    super(`Event pattern is not valid. Reason: ${reason}`);
  }
}

/** Reports whether one of a field's values matches; the list is empty if the event has no such field. */
export type ValueMatcher = (values: unknown[]) => boolean;

type Test = (value: unknown) => boolean;
type Build = (argument: unknown, path: string) => Test;

/**
 * One entry of a pattern's list: a value to equal, or an object with exactly one operator.
 * https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-create-pattern-operators.html
 * @throws InvalidPattern
 */
export function valueMatcher(entry: unknown, path: string): ValueMatcher {
  if (typeof entry !== 'object' || entry === null) return (values) => values.includes(entry);
  const [operator, argument] = only(entry, path);
  if (operator === 'exists') {
    if (typeof argument !== 'boolean') throw new InvalidPattern(`exists at ${path} must be true or false`);
    return (values) => values.length > 0 === argument;
  }
  const build = Object.hasOwn(operators, operator) ? operators[operator] : undefined;
  if (build === undefined) throw new InvalidPattern(`${path} has an unknown operator, ${JSON.stringify(operator)}`);
  const test = build(argument, path);
  return (values) => values.some(test);
}

function only(entry: object, path: string): [string, unknown] {
  const [first, ...others] = Array.isArray(entry) ? [] : (Object.entries(entry) as [string, unknown][]);
  if (first === undefined || others.length > 0) {
    throw new InvalidPattern(`an entry of ${path} must be a value or an object with exactly one operator`);
  }
  return first;
}

function text(argument: unknown, operator: string, path: string, emptyAllowed = false): string {
  if (typeof argument !== 'string') throw new InvalidPattern(`${operator} at ${path} must be a string`);
  if (argument === '' && !emptyAllowed) throw new InvalidPattern(`${operator} at ${path} must not be empty`);
  return argument;
}

const onText =
  (test: (value: string) => boolean): Test =>
  (value) =>
    typeof value === 'string' && test(value);

const equalsIgnoreCase: Build = (argument, path) => {
  const wanted = text(argument, 'equals-ignore-case', path, true).toLowerCase();
  return onText((value) => value.toLowerCase() === wanted);
};

/** `prefix` and `suffix` take a string, or `{ "equals-ignore-case": string }`. */
function affix(operator: 'prefix' | 'suffix'): Build {
  const fits = (value: string, wanted: string) =>
    operator === 'prefix' ? value.startsWith(wanted) : value.endsWith(wanted);
  return (argument, path) => {
    if (typeof argument === 'object' && argument !== null) {
      const [inner, value] = only(argument, path);
      if (inner !== 'equals-ignore-case') throw new InvalidPattern(`${operator} at ${path} cannot hold ${inner}`);
      const wanted = text(value, operator, path).toLowerCase();
      return onText((found) => fits(found.toLowerCase(), wanted));
    }
    // An empty prefix is the usual pattern for "any string".
    const wanted = text(argument, operator, path, operator === 'prefix');
    return onText((found) => fits(found, wanted));
  };
}

/** Matches in time linear to the value for each part, so that no pattern can block the bus. */
const wildcard: Build = (argument, path) => {
  const [head = '', ...rest] = wildcardParts(text(argument, 'wildcard', path), path);
  const tail = rest.pop();
  if (tail === undefined) return onText((value) => value === head);
  return onText((value) => {
    if (value.length < head.length + tail.length || !value.startsWith(head) || !value.endsWith(tail)) return false;
    const end = value.length - tail.length;
    let at = head.length;
    for (const part of rest) {
      const found = value.indexOf(part, at);
      if (found < 0 || found + part.length > end) return false;
      at = found + part.length;
    }
    return true;
  });
};

/** The literal parts between the stars; a backslash escapes a star or a backslash. */
function wildcardParts(pattern: string, path: string): string[] {
  const parts = [''];
  for (const [token] of pattern.matchAll(/\\.|\\$|\*+|[^\\*]+/gs)) {
    if (token.startsWith('*')) {
      if (token.length > 1) throw new InvalidPattern(`wildcard at ${path} must not hold consecutive stars`);
      parts.push('');
      continue;
    }
    if (token.startsWith('\\') && token !== '\\*' && token !== '\\\\') {
      throw new InvalidPattern(`wildcard at ${path} has a backslash that escapes neither a star nor a backslash`);
    }
    parts.push(`${parts.pop()}${token.startsWith('\\') ? token.slice(1) : token}`);
  }
  return parts;
}

const comparisons: Readonly<Record<string, (value: number, bound: number) => boolean>> = {
  '=': (value, bound) => value === bound,
  '<': (value, bound) => value < bound,
  '<=': (value, bound) => value <= bound,
  '>': (value, bound) => value > bound,
  '>=': (value, bound) => value >= bound,
};

/** One comparison, or a range: a lower bound followed by an upper one. Bounds are within +-5e9. */
const numeric: Build = (argument, path) => {
  const wrong = (reason: string) => new InvalidPattern(`numeric at ${path} ${reason}`);
  if (!Array.isArray(argument) || (argument.length !== 2 && argument.length !== 4)) {
    throw wrong('must be one comparison or a range');
  }
  const pairs: { operator: string; bound: number }[] = [];
  for (let at = 0; at < argument.length; at += 2) {
    const [operator, bound] = argument.slice(at, at + 2) as unknown[];
    if (typeof operator !== 'string' || !Object.hasOwn(comparisons, operator)) throw wrong('has an unknown comparison');
    if (typeof bound !== 'number' || Math.abs(bound) > 5e9) throw wrong('must compare with a number within +-5e9');
    pairs.push({ operator, bound });
  }
  const [lower, upper] = pairs;
  if (lower && upper && (!lower.operator.startsWith('>') || !upper.operator.startsWith('<'))) {
    throw wrong('must give the lower bound first and then the upper one');
  }
  if (lower && upper && lower.bound >= upper.bound) throw wrong('must have a lower bound below the upper one');
  return (value) =>
    typeof value === 'number' && pairs.every(({ operator, bound }) => comparisons[operator]?.(value, bound));
};

const cidr: Build = (argument, path) => {
  const [address = '', bits = '', ...more] = text(argument, 'cidr', path).split('/');
  const version = isIP(address);
  const length = /^\d{1,3}$/.test(bits) ? Number(bits) : NaN;
  if (version === 0 || more.length > 0 || !(length <= (version === 4 ? 32 : 128))) {
    throw new InvalidPattern(`cidr at ${path} must be an IPv4 or IPv6 range, such as 10.0.0.0/24`);
  }
  const range = new BlockList();
  range.addSubnet(address, length, version === 4 ? 'ipv4' : 'ipv6');
  return onText((value) => isIP(value) === version && range.check(value, version === 4 ? 'ipv4' : 'ipv6'));
};

/** Operators that `anything-but` can negate, each with a string or a list of them. */
const negatable: Readonly<Record<string, Build>> = {
  prefix: affix('prefix'),
  suffix: affix('suffix'),
  'equals-ignore-case': equalsIgnoreCase,
  wildcard,
};

/** Matches a value that is present and not one of those named. */
const anythingBut: Build = (argument, path) => {
  if (typeof argument !== 'object' || argument === null || Array.isArray(argument)) {
    const excluded = scalars(argument, path);
    return (value) => !excluded.includes(value);
  }
  const [operator, inner] = only(argument, path);
  const build = Object.hasOwn(negatable, operator) ? negatable[operator] : undefined;
  if (build === undefined) throw new InvalidPattern(`anything-but at ${path} cannot hold ${JSON.stringify(operator)}`);
  const arguments_: unknown[] = Array.isArray(inner) ? inner : [inner];
  if (arguments_.length === 0) throw new InvalidPattern(`anything-but at ${path} must not be empty`);
  const tests = arguments_.map((one) => build(text(one, operator, path), path));
  return (value) => !tests.some((test) => test(value));
};

function scalars(argument: unknown, path: string): unknown[] {
  const values: unknown[] = Array.isArray(argument) ? argument : [argument];
  const kinds = new Set(values.map((value) => typeof value));
  const [kind] = kinds;
  if (kinds.size !== 1 || (kind !== 'string' && kind !== 'number')) {
    throw new InvalidPattern(`anything-but at ${path} must hold strings or numbers, not both`);
  }
  return values;
}

const operators: Readonly<Record<string, Build>> = {
  ...negatable,
  'anything-but': anythingBut,
  numeric,
  cidr,
};

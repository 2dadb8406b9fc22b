import { limits } from './limits.ts';
import type { Path, Tokens } from './tokens.ts';
import { areEqual, compareValues, invalid, type Item, computeSize, readType, type Value } from './values.ts';

/** The placeholders of a request. */
export interface Placeholders {
  names: Readonly<Record<string, string>>;
  values: Readonly<Record<string, Value>>;
}

/** An operand of a condition. */
export type Operand = { path: Path } | { value: string } | { size: Path };

/** A condition as it was read from an expression. */
export type Condition =
  | { kind: 'and' | 'or'; parts: readonly Condition[] }
  | { kind: 'not'; part: Condition }
  | { kind: 'compare'; operator: string; one: Operand; other: Operand }
  | { kind: 'between'; one: Operand; from: Operand; to: Operand }
  | { kind: 'in'; one: Operand; list: readonly Operand[] }
  | { kind: 'exists'; path: Path; wanted: boolean }
  | { kind: 'type'; path: Path; type: Operand }
  | { kind: 'begins_with' | 'contains'; one: Operand; other: Operand };

const COMPARATORS = new Set(['=', '<>', '<', '<=', '>', '>=']);

/** Reads a condition, up to the end of the expression. @throws TableError */
export function readCondition(tokens: Tokens): Condition {
  const condition = readOr(tokens);
  tokens.end();
  return condition;
}

function readOr(tokens: Tokens): Condition {
  const parts = [readAnd(tokens)];
  while (tokens.takeOperator('OR')) parts.push(readAnd(tokens));
  return parts.length === 1 ? (parts[0] as Condition) : { kind: 'or', parts };
}

function readAnd(tokens: Tokens): Condition {
  const parts = [readNot(tokens)];
  while (tokens.takeOperator('AND')) parts.push(readNot(tokens));
  return parts.length === 1 ? (parts[0] as Condition) : { kind: 'and', parts };
}

function readNot(tokens: Tokens): Condition {
  if (tokens.takeOperator('NOT')) return { kind: 'not', part: readNot(tokens) };
  if (tokens.take('(')) {
    const inner = readOr(tokens);
    tokens.expect(')');
    return inner;
  }
  return (tokens.peek(1) === '(' ? readFunction(tokens) : undefined) ?? readComparison(tokens);
}

function readFunction(tokens: Tokens): Condition | undefined {
  const name = tokens.peek();
  if (name === undefined || name === 'size') return undefined;
  tokens.takeOperator(name.toUpperCase());
  tokens.expect('(');
  const condition = readCall(tokens, name);
  tokens.expect(')');
  return condition;
}

function readCall(tokens: Tokens, name: string | undefined): Condition {
  switch (name) {
    case 'attribute_exists':
    case 'attribute_not_exists':
      return { kind: 'exists', path: tokens.path(), wanted: name === 'attribute_exists' };
    case 'attribute_type': {
      const path = tokens.path();
      tokens.expect(',');
      return { kind: 'type', path, type: readOperand(tokens) };
    }
    case 'begins_with':
    case 'contains': {
      const one = readOperand(tokens);
      tokens.expect(',');
      return { kind: name, one, other: readOperand(tokens) };
    }
    default:
      throw tokens.invalid(`Invalid function name; function: ${name}`);
  }
}

function readComparison(tokens: Tokens): Condition {
  const one = readOperand(tokens);
  if (tokens.takeOperator('BETWEEN')) {
    const from = readOperand(tokens);
    tokens.expect('AND');
    return { kind: 'between', one, from, to: readOperand(tokens) };
  }
  if (tokens.takeOperator('IN')) {
    tokens.expect('(');
    const list = [readOperand(tokens)];
    while (tokens.take(',')) list.push(readOperand(tokens));
    tokens.expect(')');
    if (list.length > limits.inOperands) {
      throw tokens.invalid(`The IN operator is provided with too many operands; number of operands: ${list.length}`);
    }
    return { kind: 'in', one, list };
  }
  const operator = tokens.peek() ?? '';
  if (!COMPARATORS.has(operator) || !tokens.takeOperator(operator)) throw tokens.error();
  return { kind: 'compare', operator, one, other: readOperand(tokens) };
}

function readOperand(tokens: Tokens): Operand {
  const value = tokens.value();
  if (value !== undefined) return { value };
  if (tokens.peek() === 'size' && tokens.peek(1) === '(') {
    tokens.takeOperator('SIZE');
    tokens.expect('(');
    const size = tokens.path();
    tokens.expect(')');
    return { size };
  }
  return { path: tokens.path() };
}

/** The value at a path of an item; undefined if there is none. */
export function valueAt(item: Item | undefined, path: Path, { names }: Placeholders): Value | undefined {
  let value: Value | undefined = item === undefined ? undefined : { M: item };
  for (const step of path) {
    if (value === undefined) return undefined;
    if (typeof step === 'number') value = (value.L as Value[] | undefined)?.[step];
    else {
      const name = step.startsWith('#') ? (names[step] as string) : step;
      const map = value.M as Item | undefined;
      value = map !== undefined && Object.hasOwn(map, name) ? map[name] : undefined;
    }
  }
  return value;
}

function evaluate(operand: Operand, item: Item | undefined, at: Placeholders): Value | undefined {
  if ('value' in operand) return at.values[operand.value];
  if ('path' in operand) return valueAt(item, operand.path, at);
  const value = valueAt(item, operand.size, at);
  const length = value && computeLength(value);
  return length === undefined ? undefined : { N: String(length) };
}

/**
 * The value of the function `size`: UTF-16 units of a text, as DynamoDB counts them. Numbers, booleans and nulls have none, so no comparison
 * with it is true.
 */
function computeLength(value: Value): number | undefined {
  const type = readType(value);
  if (type === 'S') return (value.S as string).length;
  if (type === 'B') return computeSize(value);
  if (type === 'M') return Object.keys(value.M as Item).length;
  return Array.isArray(value[type]) ? (value[type] as unknown[]).length : undefined;
}

const inOrder = (operator: string, order: number): boolean =>
  operator === '<' ? order < 0 : operator === '<=' ? order <= 0 : operator === '>' ? order > 0 : order >= 0;

/** Reports whether a condition is true for an item, or for the absence of one. */
export function isSatisfied(condition: Condition, item: Item | undefined, at: Placeholders): boolean {
  switch (condition.kind) {
    case 'and':
      return condition.parts.every((part) => isSatisfied(part, item, at));
    case 'or':
      return condition.parts.some((part) => isSatisfied(part, item, at));
    case 'not':
      return !isSatisfied(condition.part, item, at);
    case 'exists':
      return (valueAt(item, condition.path, at) !== undefined) === condition.wanted;
    case 'type': {
      const value = valueAt(item, condition.path, at);
      return value !== undefined && readType(value) === evaluate(condition.type, item, at)?.S;
    }
    case 'in': {
      const one = evaluate(condition.one, item, at);
      return one !== undefined && condition.list.some((each) => areSame(one, evaluate(each, item, at)));
    }
    case 'between': {
      const [one, from, to] = [condition.one, condition.from, condition.to].map((each) => evaluate(each, item, at));
      return isBetween(one, from, to);
    }
    case 'begins_with':
      return beginsWith(evaluate(condition.one, item, at), evaluate(condition.other, item, at));
    case 'contains':
      return contains(evaluate(condition.one, item, at), evaluate(condition.other, item, at));
    case 'compare':
      return compares(condition.operator, evaluate(condition.one, item, at), evaluate(condition.other, item, at));
  }
}

function isBetween(one: Value | undefined, from: Value | undefined, to: Value | undefined): boolean {
  if (one === undefined || from === undefined || to === undefined) return false;
  return (compareValues(one, from) ?? -1) >= 0 && (compareValues(one, to) ?? 1) <= 0;
}

function beginsWith(one: Value | undefined, other: Value | undefined): boolean {
  if (typeof one?.S === 'string' && typeof other?.S === 'string') return one.S.startsWith(other.S);
  if (typeof one?.B !== 'string' || typeof other?.B !== 'string') return false;
  return Buffer.from(one.B, 'base64').indexOf(Buffer.from(other.B, 'base64')) === 0;
}

const areSame = (one: Value, other: Value | undefined): boolean => other !== undefined && areEqual(one, other);

function compares(operator: string, one: Value | undefined, other: Value | undefined): boolean {
  if (one === undefined || other === undefined) return operator === '<>' && one !== other;
  if (operator === '=') return areEqual(one, other);
  if (operator === '<>') return !areEqual(one, other);
  const order = compareValues(one, other);
  return order !== undefined && inOrder(operator, order);
}

function contains(one: Value | undefined, other: Value | undefined): boolean {
  if (one === undefined || other === undefined) return false;
  if (typeof one.S === 'string') return typeof other.S === 'string' && one.S.includes(other.S);
  if (Array.isArray(one.L)) return (one.L as Value[]).some((each) => areEqual(each, other));
  const type = readType(one);
  return type.length === 2 && (one[type] as string[]).includes(other[type.charAt(0)] as string);
}

/** The types that have an order. */
const ORDERED = new Set(['S', 'N', 'B']);

/** Checks the types of the values that a condition compares. @throws TableError */
export function checkTypes(condition: Condition, kind: string, { values }: Placeholders): void {
  const typed = (operand: Operand, allowed: ReadonlySet<string>, operator: string): void => {
    if (!('value' in operand)) return;
    const type = readType(values[operand.value] ?? {});
    if (allowed.has(type)) return;
    throw invalid(
      `Invalid ${kind}: Incorrect operand type for operator or function; operator or function: ${operator}, operand type: ${type}`,
    );
  };
  switch (condition.kind) {
    case 'and':
    case 'or':
      return condition.parts.forEach((part) => checkTypes(part, kind, { names: {}, values }));
    case 'not':
      return checkTypes(condition.part, kind, { names: {}, values });
    case 'between':
      return [condition.one, condition.from, condition.to].forEach((each) => typed(each, ORDERED, 'BETWEEN'));
    case 'begins_with':
      return [condition.one, condition.other].forEach((each) => typed(each, new Set(['S', 'B']), 'begins_with'));
    case 'compare':
      if (condition.operator === '=' || condition.operator === '<>') return;
      return [condition.one, condition.other].forEach((each) => typed(each, ORDERED, condition.operator));
    default:
  }
}

/** The first names of all paths in a condition. */
export function namesIn(condition: Condition): string[] {
  const ofOperand = (operand: Operand): string[] =>
    'value' in operand ? [] : [String(('path' in operand ? operand.path : operand.size)[0])];
  switch (condition.kind) {
    case 'and':
    case 'or':
      return condition.parts.flatMap(namesIn);
    case 'not':
      return namesIn(condition.part);
    case 'exists':
    case 'type':
      return [String(condition.path[0])];
    case 'in':
      return [condition.one, ...condition.list].flatMap(ofOperand);
    case 'between':
      return [condition.one, condition.from, condition.to].flatMap(ofOperand);
    default:
      return [condition.one, condition.other].flatMap(ofOperand);
  }
}

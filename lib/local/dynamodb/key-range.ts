import type { Condition, Operand } from './condition.ts';
import type { KeyNames } from './definition.ts';
import type { Given } from './expressions.ts';
import type { Range } from './rows.ts';
import { compareText, invalid } from './values.ts';

type Bounds = Pick<Range, 'from' | 'to'>;

/** Reads the condition of a query on the keys: the partition, and a range of its sort key. @throws TableError */
export function readRange({ keys: condition, at }: Given, names: KeyNames): Range {
  const parts = condition?.kind === 'and' ? condition.parts : condition === undefined ? [] : [condition];
  const nameIn = (operand: Operand): string | undefined => {
    if (!('path' in operand) || operand.path.length !== 1) return undefined;
    const name = String(operand.path[0]);
    return name.startsWith('#') ? at.names[name] : name;
  };
  const textIn = (operand: Operand): string => {
    const text = 'value' in operand ? at.values[operand.value]?.S : undefined;
    if (typeof text !== 'string') {
      throw invalid('One or more parameter values were invalid: Condition parameter type does not match schema type');
    }
    if (text === '') {
      throw invalid(
        'One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value.',
      );
    }
    return text;
  };
  let hash: string | undefined;
  let bounds: Bounds | undefined;
  for (const part of parts) {
    const name = 'one' in part ? nameIn(part.one) : undefined;
    if (name === names.hash && hash === undefined && part.kind === 'compare' && part.operator === '=') {
      hash = textIn(part.other);
    } else if (name === names.range && bounds === undefined) bounds = readBounds(part, textIn);
    else throw invalid('Query key condition not supported');
  }
  if (hash === undefined) throw invalid(`Query condition missed key schema element: ${names.hash}`);
  return { hash, ...bounds };
}

const including = (text: string) => ({ text, isIncluded: true });
const excluding = (text: string) => ({ text, isIncluded: false });

function readBounds(part: Condition, textIn: (operand: Operand) => string): Bounds {
  if (part.kind === 'between') {
    const [from, to] = [textIn(part.from), textIn(part.to)];
    if (compareText(from, to) > 0) {
      throw invalid(
        'Invalid KeyConditionExpression: The BETWEEN operator requires upper bound to be greater than or equal to lower bound',
      );
    }
    return { from: including(from), to: including(to) };
  }
  if (part.kind === 'begins_with') {
    const prefix = textIn(part.other);
    const end = findEnd(prefix);
    return { from: including(prefix), ...(end !== undefined && { to: excluding(end) }) };
  }
  if (part.kind !== 'compare' || part.operator === '<>') throw invalid('Query key condition not supported');
  const text = textIn(part.other);
  switch (part.operator) {
    case '<':
      return { to: excluding(text) };
    case '<=':
      return { to: including(text) };
    case '>':
      return { from: excluding(text) };
    case '>=':
      return { from: including(text) };
    default:
      return { from: including(text), to: including(text) };
  }
}

const LAST_CODE_POINT = 0x10_ffff;

/** The first text after all that begin with a prefix; undefined if there is none. */
function findEnd(prefix: string): string | undefined {
  const points = Array.from(prefix, (character) => character.codePointAt(0) as number);
  while (points.at(-1) === LAST_CODE_POINT) points.pop();
  const last = points.pop();
  if (last === undefined) return undefined;
  // No text contains a code point between U+D800 and U+DFFF.
  return String.fromCodePoint(...points, last === 0xd7ff ? 0xe000 : last + 1);
}

/** Reports whether the value of a sort key is within a range. */
export function isWithin({ from, to }: Range, sort: string): boolean {
  const below = from === undefined ? 1 : compareText(sort, from.text);
  const above = to === undefined ? -1 : compareText(sort, to.text);
  return (
    (below > 0 || (below === 0 && from?.isIncluded === true)) && (above < 0 || (above === 0 && to?.isIncluded === true))
  );
}

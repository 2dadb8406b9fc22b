import { AwsError } from '../aws-json.ts';
import { limits } from './limits.ts';

/** An attribute's value in DynamoDB's JSON: one member, which names the type. */
export type Value = Readonly<Record<string, unknown>>;

/** An item in DynamoDB's JSON. It is never changed after it was stored: a write replaces it. */
export type Item = Readonly<Record<string, Value>>;

/** An error of DynamoDB, with the members that its response has in addition to the message. */
export class TableError extends AwsError {
  readonly members: object;

  constructor(type: string, message: string, members: object = {}) {
    super(type, message);
    this.members = members;
  }
}

/** The error for a request that DynamoDB rejects before it runs. */
export const invalid = (message: string): TableError => new TableError('ValidationException', message);

/** The one type of a value: `S`, `N`, `M` and so on. */
export function readType(value: Value): string {
  for (const name in value) return name;
  return '';
}

/** Compares strings by their UTF-8 bytes, which is DynamoDB's order; `<` compares UTF-16 units. */
export function compareText(one: string, other: string): number {
  if (one === other) return 0;
  const end = Math.min(one.length, other.length);
  for (let at = 0; at < end; at += 1) {
    const a = one.charCodeAt(at);
    const b = other.charCodeAt(at);
    if (a !== b) return rank(a) - rank(b);
  }
  return one.length - other.length;
}

/** Sorts the surrogates, which encode the code points above U+FFFF, after all other units. */
const rank = (unit: number): number => (unit < 0xd800 ? unit : unit > 0xdfff ? unit - 0x800 : unit + 0x2000);

const PLAIN = /^-?(?:0|[1-9]\d{0,14})$/;
const NUMBER = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/;

/** A decimal number: `digits` without zeros at either end, times ten to the power of `exponent`. */
interface Decimal {
  sign: 1 | -1;
  digits: string;
  exponent: number;
}

function readDecimal(text: string): Decimal {
  const [, sign = '', whole = '', part = '', power = '0'] = NUMBER.exec(text) ?? [];
  if (whole === '' && part === '') {
    throw invalid(`The parameter cannot be converted to a numeric value: ${text}`);
  }
  const all = `${whole}${part}`.replace(/^0+/, '');
  const digits = all.replace(/0+$/, '');
  if (digits === '') return { sign: 1, digits: '', exponent: 0 };
  const exponent = Number(power) - part.length + (all.length - digits.length);
  if (digits.length > limits.digits) throw invalid('Attempting to store more than 38 significant digits in a Number');
  const magnitude = digits.length + exponent;
  if (magnitude > 126)
    throw invalid('Number overflow. Attempting to store a number with magnitude larger than supported range');
  if (magnitude < -129)
    throw invalid('Number underflow. Attempting to store a number with magnitude smaller than supported range');
  return { sign: sign === '-' ? -1 : 1, digits, exponent };
}

function writeDecimal({ sign, digits, exponent }: Decimal): string {
  if (digits === '') return '0';
  const minus = sign < 0 ? '-' : '';
  if (exponent >= 0) return `${minus}${digits}${'0'.repeat(exponent)}`;
  const point = digits.length + exponent;
  if (point > 0) return `${minus}${digits.slice(0, point)}.${digits.slice(point)}`;
  return `${minus}0.${'0'.repeat(-point)}${digits}`;
}

/** The form in which DynamoDB returns a number. @throws TableError for text that is not a number, or beyond its range */
export const normalNumber = (text: string): string =>
  PLAIN.test(text) && text !== '-0' ? text : writeDecimal(readDecimal(text));

function scaled(text: string, exponent: number): bigint {
  const decimal = readDecimal(text);
  return BigInt(decimal.sign) * BigInt(decimal.digits || '0') * 10n ** BigInt(decimal.exponent - exponent);
}

/** Adds `sign` times the second number to the first, exactly. */
export function addNumbers(one: string, other: string, sign: 1 | -1 = 1): string {
  if (PLAIN.test(one) && PLAIN.test(other)) return String(Number(one) + sign * Number(other));
  const exponent = Math.min(readDecimal(one).exponent, readDecimal(other).exponent);
  const sum = scaled(one, exponent) + BigInt(sign) * scaled(other, exponent);
  return normalNumber(`${sum}e${exponent}`);
}

/** Compares two numbers by their values. */
export function compareNumbers(one: string, other: string): number {
  if (PLAIN.test(one) && PLAIN.test(other)) return Number(one) - Number(other);
  const exponent = Math.min(readDecimal(one).exponent, readDecimal(other).exponent);
  const [a, b] = [scaled(one, exponent), scaled(other, exponent)];
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Compares two values of one type that has an order. @returns undefined for others */
export function compareValues(one: Value, other: Value): number | undefined {
  if (typeof one.S === 'string' && typeof other.S === 'string') return compareText(one.S, other.S);
  if (typeof one.N === 'string' && typeof other.N === 'string') return compareNumbers(one.N, other.N);
  if (typeof one.B === 'string' && typeof other.B === 'string') {
    return Buffer.compare(Buffer.from(one.B, 'base64'), Buffer.from(other.B, 'base64'));
  }
  return undefined;
}

/** Reports whether two values are equal. The order of a set's members and a map's names has no meaning. */
export function areEqual(one: Value, other: Value): boolean {
  const type = readType(one);
  if (type !== readType(other)) return false;
  if (type === 'N') return compareValues(one, other) === 0;
  if (type === 'L') {
    const [a, b] = [one.L as Value[], other.L as Value[]];
    return a.length === b.length && a.every((value, at) => areEqual(value, b[at] as Value));
  }
  if (type === 'M') {
    const [a, b] = [one.M as Item, other.M as Item];
    const names = Object.keys(a);
    return (
      names.length === Object.keys(b).length &&
      names.every((name) => Object.hasOwn(b, name) && areEqual(a[name] as Value, b[name] as Value))
    );
  }
  if (type.length === 2) {
    const [a, b] = [one[type] as string[], new Set(other[type] as string[])];
    return a.length === b.size && a.every((member) => b.has(member));
  }
  return one[type] === other[type];
}

/** Checks a value and returns it in the form in which it is stored. @throws TableError */
export function readValue(value: Value, depth = 0): Value {
  if (depth >= limits.levels) {
    throw invalid(
      'Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit',
    );
  }
  const type = readType(value);
  const content = value[type];
  switch (type) {
    case 'S':
    case 'B':
      if (typeof content === 'string') return value;
      break;
    case 'N':
      if (typeof content === 'string') return readNumber(value, content);
      break;
    case 'BOOL':
      if (typeof content === 'boolean') return value;
      break;
    case 'NULL':
      if (content === true) return value;
      throw invalid(
        'One or more parameter values were invalid: Null attribute value types must have the value of true',
      );
    case 'L':
      return { L: (content as Value[]).map((each) => readValue(each, depth + 1)) };
    case 'M':
      return { M: readItem(content as Item, depth + 1) };
    case 'SS':
    case 'BS':
      return readSet(value, content as string[], type);
    case 'NS':
      return readSet({ NS: (content as string[]).map(normalNumber) }, (content as string[]).map(normalNumber), type);
  }
  throw invalid('Supplied AttributeValue is empty, must contain exactly one of the supported datatypes');
}

function readNumber(value: Value, text: string): Value {
  const normal = normalNumber(text);
  return normal === text ? value : { N: normal };
}

function readSet(value: Value, members: readonly string[], type: string): Value {
  if (members.length === 0) {
    throw invalid(
      `One or more parameter values were invalid: An ${type === 'NS' ? 'number' : 'string'} set  may not be empty`,
    );
  }
  if (new Set(members).size !== members.length) {
    throw invalid(
      `One or more parameter values were invalid: Input collection [${members.join(', ')}] contains duplicates.`,
    );
  }
  return value;
}

/** Checks all values of an item or a map. @throws TableError */
export function readItem(item: Item, depth = 0): Item {
  let read: Record<string, Value> | undefined;
  for (const name in item) {
    const value = item[name] as Value;
    const checked = readValue(value, depth);
    if (checked !== value) (read ??= { ...item })[name] = checked;
  }
  return read ?? item;
}

/** The size of an item in bytes, by which DynamoDB limits items and pages. */
export function computeItemSize(item: Item): number {
  let size = 0;
  for (const name in item) size += Buffer.byteLength(name) + computeSize(item[name] as Value);
  return size;
}

/** The size of a value in bytes. */
export function computeSize(value: Value): number {
  const type = readType(value);
  const content = value[type];
  if (type === 'S') return Buffer.byteLength(content as string);
  if (type === 'B') return Buffer.byteLength(content as string, 'base64');
  if (type === 'N') return computeNumberSize(content as string);
  if (type === 'M') return 3 + Object.keys(content as Item).length + computeItemSize(content as Item);
  if (type === 'L') return (content as Value[]).reduce((size, each) => size + 1 + computeSize(each), 3);
  if (type.length === 2)
    return (content as string[]).reduce((size, each) => size + computeSize({ [type.charAt(0)]: each }), 0);
  return 1;
}

const computeNumberSize = (text: string): number =>
  1 + Math.ceil(text.replace(/[-.]/g, '').length / 2) + (text.startsWith('-') ? 1 : 0);
